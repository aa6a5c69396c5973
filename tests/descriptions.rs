//! Descriptions: what can be written to JSON can be read back, what is wrong is refused by name,
//! and nothing that is accepted panics.

#![expect(clippy::float_cmp, reason = "numbers that must be exact")]

#[path = "descriptions/json.rs"]
mod json;
#[path = "descriptions/modal.rs"]
mod modal;
#[path = "descriptions/random.rs"]
mod random;
#[path = "descriptions/refused.rs"]
mod refused;
#[path = "descriptions/strategies.rs"]
mod strategies;

use polhode::generic::description::{
    Attachment, BodyQuantity, Description, Force, ForceKind, Formula, Function, Joint, JointKind,
    JointQuantity, LoadFrame, MassMatrix, Motion, Redundancy, Start,
};
use polhode::lie::GroupKind;
use polhode_models::heavy_top;

fn spring(first: &str, second: &str) -> Force {
    Force {
        name: "spring".to_owned(),
        kind: ForceKind::SpringDamper {
            first: Attachment::at(first, [0.1, 0.2, 0.3]),
            second: Attachment::at(second, [0.0; 3]),
            stiffness: 100.0,
            damping: 0.1 + 0.2,
            length: 0.5,
        },
    }
}

/// `sin(2 t) + atan2(t, 3) - |t| / 7`, and a branch.
fn of_time() -> Formula {
    let number = |x: f64| Box::new(Formula::Number(x));
    let time = || Box::new(Formula::Time);
    let wave = Formula::Call(Function::Sin, Box::new(Formula::Mul(number(2.0), time())));
    let sum = Formula::Add(
        Box::new(wave),
        Box::new(Formula::Atan2(time(), number(3.0))),
    );
    let size = Formula::Call(Function::Abs, time());
    Formula::Select {
        left: time(),
        right: number(0.1),
        below: Box::new(Formula::Sub(
            Box::new(sum),
            Box::new(Formula::Div(Box::new(size), number(7.0))),
        )),
        otherwise: Box::new(Formula::Neg(time())),
    }
}

fn reads(body: &str, axis: usize) -> Formula {
    Formula::Body {
        body: body.to_owned(),
        quantity: BodyQuantity::Velocity,
        axis,
    }
}

fn reads_joint(joint: &str, quantity: JointQuantity) -> Formula {
    Formula::Joint {
        joint: joint.to_owned(),
        quantity,
    }
}

/// Diagonal.
fn six(x: f64) -> [[f64; 6]; 6] {
    core::array::from_fn(|i| core::array::from_fn(|j| if i == j { x } else { 0.0 }))
}

/// Positive definite.
fn tridiagonal(n: usize, x: f64) -> Vec<Vec<f64>> {
    let entry = |i: usize, j: usize| match i.abs_diff(j) {
        0 => x,
        1 => -0.3 * x,
        _ => 0.0,
    };
    (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect()
}

/// One of each force, after the spring.
fn forces() -> Vec<Force> {
    let kinds = [
        ForceKind::Load {
            at: Attachment::at("top", [0.0, 0.1, 0.0]),
            force: [reads("other", 2), of_time(), Formula::Number(1.0 / 3.0)],
            torque: [
                0.0.into(),
                reads_joint("joint 1", JointQuantity::Angle),
                0.0.into(),
            ],
            frame: LoadFrame::Body,
        },
        ForceKind::Bushing {
            first: Attachment::at("top", [0.0; 3]),
            second: Attachment::at("other", [0.0; 3]),
            stiffness: six(100.0),
            damping: six(0.1),
        },
        ForceKind::TorsionSpring {
            joint: "joint 2".to_owned(),
            stiffness: 3.0,
            damping: 0.1,
            angle: -0.2,
        },
        ForceKind::PdControl {
            joint: "joint 3".to_owned(),
            proportional: 10.0,
            derivative: 1.0,
            target: of_time(),
        },
        ForceKind::Actuator {
            joint: "joint 1".to_owned(),
            effort: reads_joint("joint 2", JointQuantity::DisplacementRate),
        },
        ForceKind::ModalSpring {
            body: "modes".to_owned(),
            stiffness: tridiagonal(5, 2.0),
            damping: tridiagonal(5, 1.0 / 3.0),
        },
        ForceKind::ModalLoad {
            body: "modes".to_owned(),
            force: vec![
                reads("modes", 4),
                of_time(),
                reads("other", 2),
                0.0.into(),
                reads_joint("joint 1", JointQuantity::Angle),
            ],
        },
    ];
    let names = [
        "load",
        "bushing",
        "torsion",
        "control",
        "actuator",
        "modal spring",
        "modal load",
    ];
    names
        .into_iter()
        .zip(kinds)
        .map(|(name, kind)| Force {
            name: name.to_owned(),
            kind,
        })
        .collect()
}

/// A description that uses everything.
fn rich() -> Description {
    let mut description = heavy_top::constrained(GroupKind::SE3);
    let mut other = description.bodies[0].clone();
    "other".clone_into(&mut other.name);
    other.group = GroupKind::S3sR3;
    other.center = [0.0, 0.1, 1e-300];
    other.start.rotation = [0.5, 0.5, -0.5, 0.5];
    description.bodies.push(other);
    let mut modes = description.bodies[0].clone();
    "modes".clone_into(&mut modes.name);
    modes.group = GroupKind::Rn(5);
    modes.start = Start {
        position: vec![0.1; 5],
        ..Start::default()
    };
    description.bodies.push(modes);
    description.mass_matrices.push(MassMatrix {
        body: "modes".to_owned(),
        matrix: tridiagonal(5, 0.7),
    });
    let kinds = [
        JointKind::Spherical,
        JointKind::Revolute,
        JointKind::Cylindrical,
        JointKind::Prismatic,
        JointKind::Universal,
        JointKind::Planar,
        JointKind::Fixed,
        JointKind::PointOnLine,
        JointKind::Distance { length: 0.7 },
        JointKind::Driver {
            motion: Motion::Angle,
            value: of_time(),
        },
    ];
    for (i, kind) in kinds.into_iter().enumerate() {
        description.joints.push(Joint {
            name: format!("joint {i}"),
            kind,
            first: Attachment::at("top", [1.0 / 3.0, 0.0, -2.5e-7]),
            second: Attachment {
                axes: [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
                ..Attachment::at("other", [0.0; 3])
            },
        });
    }
    description.forces.push(spring("ground", "other"));
    description.forces.extend(forces());
    description.redundant = Redundancy::Allow;
    description
}
