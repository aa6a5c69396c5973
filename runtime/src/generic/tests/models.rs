//! Systems that use everything.

use crate::generic::GenericSystem;
use crate::generic::description::{
    Attachment, Body, BodyQuantity, Description, Force, ForceKind, Formula, Function, Joint,
    JointKind, JointQuantity, LoadFrame, MassMatrix, Motion, Start,
};
use crate::lie::{GroupKind, LieGroup, S3, SO3};
use nalgebra::Vector3;

/// A repeatable stream of numbers in (-1, 1).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        #[expect(clippy::cast_precision_loss, reason = "53 bits")]
        let unit = (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
        2.0 * unit - 1.0
    }

    pub(crate) fn vector(&mut self, n: usize) -> Box<[f64]> {
        (0..n).map(|_| self.next()).collect()
    }

    pub(crate) fn point(&mut self) -> [f64; 3] {
        [self.next(), self.next(), self.next()]
    }

    pub(crate) fn axes(&mut self) -> [[f64; 3]; 3] {
        let w = Vector3::from(self.point());
        let r = <SO3 as LieGroup<3>>::exp(&w).matrix;
        core::array::from_fn(|i| core::array::from_fn(|j| r[(i, j)]))
    }
}

pub(crate) fn body(name: &str, group: GroupKind, numbers: &mut Numbers) -> Body {
    let rigid = !matches!(group, GroupKind::Rn(_));
    let turn = Vector3::from(numbers.point());
    let turn = <S3 as LieGroup<3>>::exp(&turn);
    let quaternion = [turn.scalar, turn.vector[0], turn.vector[1], turn.vector[2]];
    let offset = matches!(
        group,
        GroupKind::SE3 | GroupKind::S3sR3 | GroupKind::SO3 | GroupKind::S3
    );
    let n = if rigid { 3 } else { group.dof() };
    Body {
        name: name.to_owned(),
        group,
        mass: 1.5 + numbers.next(),
        inertia: [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]],
        center: if offset { numbers.point() } else { [0.0; 3] },
        start: Start {
            position: numbers.vector(n).into(),
            rotation: if rigid {
                quaternion
            } else {
                [1.0, 0.0, 0.0, 0.0]
            },
            ..Start::default()
        },
    }
}

fn is_point(group: GroupKind) -> bool {
    matches!(group, GroupKind::Rn(_))
}

#[expect(clippy::unnecessary_box_returns, reason = "formulas hold boxes")]
fn number(x: f64) -> Box<Formula> {
    Box::new(Formula::Number(x))
}

/// `f(t) = 0.4 + 0.3 t + 0.2 sin t`, what drivers follow.
pub(crate) fn driven() -> Formula {
    let time = || Box::new(Formula::Time);
    Formula::Add(
        Box::new(Formula::Add(
            number(0.4),
            Box::new(Formula::Mul(number(0.3), time())),
        )),
        Box::new(Formula::Mul(
            number(0.2),
            Box::new(Formula::Call(Function::Sin, time())),
        )),
    )
}

/// A formula that has every operation, of each quantity one.
pub(crate) fn rich(quantities: &[Formula]) -> Formula {
    let mut sum = Formula::Call(Function::Cos, Box::new(Formula::Time));
    for (i, quantity) in quantities.iter().enumerate() {
        let x = || Box::new(quantity.clone());
        let mul = |a, b| Box::new(Formula::Mul(a, b));
        let square = || Box::new(Formula::Add(number(2.0), mul(x(), x())));
        let small = || mul(number(0.3), Box::new(Formula::Call(Function::Tanh, x())));
        let terms = [
            Formula::Call(Function::Sqrt, square()),
            Formula::Call(Function::Sin, x()),
            Formula::Call(Function::Cos, x()),
            Formula::Call(Function::Tan, small()),
            Formula::Call(Function::Asin, small()),
            Formula::Call(Function::Acos, small()),
            Formula::Call(Function::Atan, x()),
            Formula::Call(Function::Exp, small()),
            Formula::Call(Function::Ln, square()),
            Formula::Call(Function::Abs, x()),
            Formula::Atan2(x(), square()),
            Formula::Div(x(), square()),
            Formula::Neg(mul(x(), Box::new(Formula::Time))),
            Formula::Select {
                left: x(),
                right: number(0.1),
                below: mul(x(), x()),
                otherwise: mul(number(2.0), x()),
            },
        ];
        for (k, term) in terms.into_iter().enumerate() {
            // Products couple the quantities.
            let term = Box::new(term);
            sum = if (i + k) % 5 == 4 {
                Formula::Sub(
                    Box::new(Formula::Mul(
                        Box::new(Formula::Call(Function::Tanh, Box::new(sum))),
                        number(1.5),
                    )),
                    term,
                )
            } else {
                Formula::Add(Box::new(sum), term)
            };
        }
    }
    sum
}

/// Quantities that can be read of a body.
fn readable(name: &str, group: GroupKind) -> Vec<Formula> {
    let read = |quantity, axis| Formula::Body {
        body: name.to_owned(),
        quantity,
        axis,
    };
    let mut out = vec![
        read(BodyQuantity::Position, 0),
        read(BodyQuantity::Position, 1),
        read(BodyQuantity::Velocity, 1),
        read(BodyQuantity::Velocity, 2),
    ];
    if !is_point(group) {
        out.push(read(BodyQuantity::AngularVelocity, 0));
        out.push(read(BodyQuantity::AngularVelocity, 2));
    }
    out
}

fn joint_quantities(joint: &str, quantities: &[JointQuantity]) -> Vec<Formula> {
    let read = |quantity: &JointQuantity| Formula::Joint {
        joint: joint.to_owned(),
        quantity: *quantity,
    };
    quantities.iter().map(read).collect()
}

/// Coordinates of the body `modes`: more than one tile of its matrices, and not whole tiles.
const MODES: usize = 8;

/// A positive definite matrix.
fn definite(numbers: &mut Numbers, n: usize) -> Vec<Vec<f64>> {
    let a = nalgebra::DMatrix::from_fn(n, n, |_, _| numbers.next());
    let product = &a * a.transpose() + nalgebra::DMatrix::identity(n, n) * 0.5;
    (0..n)
        .map(|i| {
            (0..n)
                .map(|j| 0.5 * (product[(i, j)] + product[(j, i)]))
                .collect()
        })
        .collect()
}

/// Coordinates and rates that can be read of the body `modes`.
fn modal_quantities() -> Vec<Formula> {
    let read = |quantity, axis| Formula::Body {
        body: "modes".to_owned(),
        quantity,
        axis,
    };
    vec![
        read(BodyQuantity::Position, 0),
        read(BodyQuantity::Velocity, 2),
        read(BodyQuantity::Position, MODES - 1),
        read(BodyQuantity::Velocity, MODES - 1),
    ]
}

/// A positive definite matrix, or its translational part.
fn springs(numbers: &mut Numbers, points: bool) -> [[f64; 6]; 6] {
    let a = nalgebra::Matrix6::from_fn(|_, _| numbers.next());
    let product = a * a.transpose();
    core::array::from_fn(|i| {
        core::array::from_fn(|j| {
            if points && (i < 3 || j < 3) {
                0.0
            } else {
                0.5 * (product[(i, j)] + product[(j, i)])
            }
        })
    })
}

struct Maker<'a> {
    numbers: &'a mut Numbers,
    description: Description,
}

impl Maker<'_> {
    fn attach(&mut self, body: &str) -> Attachment {
        Attachment {
            body: body.to_owned(),
            point: self.numbers.point(),
            axes: self.numbers.axes(),
        }
    }

    fn joint(&mut self, name: &str, kind: JointKind, first: &str, second: &str) {
        let joint = Joint {
            name: name.to_owned(),
            kind,
            first: self.attach(first),
            second: self.attach(second),
        };
        self.description.joints.push(joint);
    }

    fn force(&mut self, kind: ForceKind) {
        let name = format!("force {}", self.description.forces.len());
        self.description.forces.push(Force { name, kind });
    }

    fn modal_spring(&mut self, damping: f64) {
        let stiffness = definite(self.numbers, MODES);
        let mut loss = definite(self.numbers, MODES);
        // Damping need not be symmetric.
        loss[1][MODES - 2] += 0.3;
        loss.iter_mut().flatten().for_each(|x| *x *= damping);
        self.force(ForceKind::ModalSpring {
            body: "modes".to_owned(),
            stiffness,
            damping: loss,
        });
    }

    fn springs_and_bushings(&mut self, damping: f64) {
        for (a, b) in [
            ("first", "second"),
            ("ground", "first"),
            ("second", "ground"),
        ] {
            let (first, second) = (self.attach(a), self.attach(b));
            self.force(ForceKind::SpringDamper {
                first,
                second,
                stiffness: 3.0,
                damping: 0.7 * damping,
                length: 0.4,
            });
            let points = [a, b].iter().any(|name| {
                let body = self.description.bodies.iter().find(|x| x.name == *name);
                body.is_some_and(|x| is_point(x.group))
            });
            let (first, second) = (self.attach(a), self.attach(b));
            let stiffness = springs(self.numbers, points);
            let loss = springs(self.numbers, points);
            self.force(ForceKind::Bushing {
                first,
                second,
                stiffness,
                damping: loss.map(|row| row.map(|x| damping * x)),
            });
        }
    }
}

fn maker(first: GroupKind, second: GroupKind, numbers: &mut Numbers) -> Maker<'_> {
    let bodies = vec![
        body("first", first, numbers),
        body("modes", GroupKind::Rn(MODES), numbers),
        body("second", second, numbers),
    ];
    let matrix = definite(numbers, MODES);
    Maker {
        numbers,
        description: Description {
            name: "everything".to_owned(),
            gravity: [0.3, -0.8, -9.81],
            bodies,
            mass_matrices: vec![MassMatrix {
                body: "modes".to_owned(),
                matrix,
            }],
            ..Description::default()
        },
    }
}

/// Two bodies of the given groups with every joint, driver and force that fits them, and modal
/// coordinates that the bodies read and that read the bodies.
pub(crate) fn everything(
    first: GroupKind,
    second: GroupKind,
    numbers: &mut Numbers,
) -> GenericSystem {
    use JointQuantity::{Angle, AngleRate, Displacement, DisplacementRate};
    let points = is_point(first) || is_point(second);
    let mut make = maker(first, second, numbers);
    let driver = |motion| JointKind::Driver {
        motion,
        value: driven(),
    };
    let mut kinds = vec![
        JointKind::Spherical,
        JointKind::PointOnLine,
        JointKind::Distance { length: 1.3 },
        driver(Motion::Displacement),
        driver(Motion::Distance),
    ];
    if !points {
        kinds.extend([
            JointKind::Revolute,
            JointKind::Prismatic,
            JointKind::Universal,
            JointKind::Cylindrical,
            JointKind::Planar,
            JointKind::Fixed,
            driver(Motion::Angle),
        ]);
    }
    for (i, kind) in kinds.into_iter().enumerate() {
        make.joint(&format!("joint {i}"), kind, "first", "second");
    }
    make.joint("to ground", JointKind::Spherical, "ground", "first");
    let distance = JointKind::Distance { length: 0.7 };
    make.joint("from ground", distance, "second", "ground");
    make.joint(
        "driven from ground",
        driver(Motion::Distance),
        "ground",
        "second",
    );
    let mut read = readable("first", first);
    read.extend(readable("second", second));
    read.extend(modal_quantities());
    if !is_point(second) {
        make.joint("hinge", JointKind::Cylindrical, "ground", "second");
        make.joint("motor", driver(Motion::Angle), "second", "ground");
        read.extend(joint_quantities(
            "hinge",
            &[Angle, AngleRate, Displacement, DisplacementRate],
        ));
        make.force(ForceKind::TorsionSpring {
            joint: "hinge".to_owned(),
            stiffness: 1.3,
            damping: 0.4,
            angle: 0.2,
        });
    }
    if !points {
        // Revolute, prismatic, cylindrical between the bodies.
        for joint in ["joint 5", "joint 6", "joint 8"] {
            make.force(ForceKind::PdControl {
                joint: joint.to_owned(),
                proportional: 2.1,
                derivative: 0.6,
                target: driven(),
            });
            make.force(ForceKind::Actuator {
                joint: joint.to_owned(),
                effort: rich(&read[..3]),
            });
        }
        read.extend(joint_quantities("joint 8", &[Angle, DisplacementRate]));
        read.extend(joint_quantities("joint 5", &[Angle]));
    }
    for (name, group) in [("first", first), ("second", second)] {
        for frame in [LoadFrame::World, LoadFrame::Body] {
            let formula = |k: usize| {
                rich(&[
                    read[k % read.len()].clone(),
                    read[(5 * k + 1) % read.len()].clone(),
                ])
            };
            let force = [formula(0), formula(1), formula(2)];
            let torque = if is_point(group) {
                [0.0; 3].map(Formula::Number)
            } else {
                [formula(3), formula(4), formula(5)]
            };
            let at = make.attach(name);
            make.force(ForceKind::Load {
                at,
                force,
                torque,
                frame,
            });
        }
    }
    make.force(ForceKind::Load {
        at: Attachment::at("first", [0.0; 3]),
        force: [rich(&read), 0.0.into(), 0.0.into()],
        torque: [0.0; 3].map(Formula::Number),
        frame: LoadFrame::World,
    });
    make.springs_and_bushings(1.0);
    make.modal_spring(1.0);
    let formula = |k: usize| rich(&[read[k].clone(), read[read.len() - 1 - k].clone()]);
    make.force(ForceKind::ModalLoad {
        body: "modes".to_owned(),
        force: (0..MODES).map(formula).collect(),
    });
    GenericSystem::new(make.description).unwrap()
}

/// Two bodies and modal coordinates with every force that has a potential.
pub(crate) fn conservative(
    first: GroupKind,
    second: GroupKind,
    numbers: &mut Numbers,
) -> GenericSystem {
    let mut make = maker(first, second, numbers);
    make.springs_and_bushings(0.0);
    make.modal_spring(0.0);
    let constant = |k: u8| Formula::Neg(number(0.5 - f64::from(k)));
    make.force(ForceKind::ModalLoad {
        body: "modes".to_owned(),
        force: (0..8).map(constant).collect(),
    });
    let at = make.attach("first");
    make.force(ForceKind::Load {
        at,
        force: [1.0, -2.0, 3.0].map(Formula::Number),
        torque: [0.0; 3].map(Formula::Number),
        frame: LoadFrame::World,
    });
    GenericSystem::new(make.description).unwrap()
}
