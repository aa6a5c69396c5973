//! Function by function against descriptions put together by hand, with dense matrices; names and
//! the numbers of a state.

use polhode::generic::GenericSystem;
use polhode::generic::description::{
    Attachment, Body, BodyQuantity, Description, Force, ForceKind, Formula, GROUND,
    InternalConstraint, Joint, JointKind, LoadFrame, PositionAxes, RodElement, Start,
};
use polhode::lie::GroupKind;
use polhode::prelude::{State, multibody};
use polhode::system::Bodies;
use polhode_tests::compare::{assert_close, compare_by_hand};

/// A chain with a spring at each link, from anchors that hang on it.
#[multibody(gravity = [0.2, 0.1, -9.81])]
struct Sprung {
    #[count(default = 4, min = 2)]
    n: usize,
    #[body(mass = 1.0 + 0.2 * i, inertia = [0.1, 0.2, 0.15])]
    #[start(position = [0.5, 0.0, 0.0])]
    links: [Body<SO3xR3>; n],
    #[joint(ground, links[0] at [-0.5, 0.0, 0.0])]
    pivot: Spherical,
    #[joint(links[i] at [0.5, 0.0, 0.0], links[i + 1] at [-0.5, 0.0, 0.0])]
    balls: [Spherical; n - 1],
    #[body(mass = 0.3)]
    #[start(position = [0.5 + i, 0.4, -1.0])]
    weights: [Body<R3>; n],
    #[force(links[i] at [0.1, 0.0, 0.0], weights[i], stiffness = 50.0, damping = 0.7, length = 0.9)]
    springs: [SpringDamper; n],
    #[force(weights[i], force = [0.0, -0.1 * weights[i].velocity.y, links[i].position.x])]
    wind: [Load; n],
}

fn sprung_by_hand(n: usize) -> Description {
    #[expect(clippy::cast_precision_loss, reason = "a few links")]
    let place = |i: usize| i as f64;
    let link = |i: usize| format!("links[{i}]");
    let weight = |i: usize| format!("weights[{i}]");
    let ball = |name: String, first: Attachment, second: usize| Joint {
        name,
        kind: JointKind::Spherical,
        first,
        second: Attachment::at(&link(second), [-0.5, 0.0, 0.0]),
    };
    let mut out = Description {
        name: "Sprung".to_owned(),
        gravity: [0.2, 0.1, -9.81],
        positions: PositionAxes::Inertial,
        ..Description::default()
    };
    for i in 0..n {
        out.bodies.push(Body {
            name: link(i),
            group: GroupKind::SO3xR3,
            mass: 1.0 + 0.2 * place(i),
            inertia: [[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.15]],
            center: [0.0; 3],
            start: Start {
                position: vec![0.5 + place(i), 0.0, 0.0],
                ..Start::default()
            },
        });
    }
    for i in 0..n {
        out.bodies.push(Body {
            name: weight(i),
            group: GroupKind::Rn(3),
            mass: 0.3,
            inertia: [[0.0; 3]; 3],
            center: [0.0; 3],
            start: Start {
                position: vec![0.5 + place(i), 0.4, -1.0],
                ..Start::default()
            },
        });
    }
    out.joints.push(ball(
        "pivot".to_owned(),
        Attachment::at(GROUND, [0.0; 3]),
        0,
    ));
    for i in 0..n - 1 {
        let first = Attachment::at(&link(i), [0.5, 0.0, 0.0]);
        out.joints.push(ball(format!("balls[{i}]"), first, i + 1));
    }
    for i in 0..n {
        out.forces.push(Force {
            name: format!("springs[{i}]"),
            kind: ForceKind::SpringDamper {
                first: Attachment::at(&link(i), [0.1, 0.0, 0.0]),
                second: Attachment::at(&weight(i), [0.0; 3]),
                stiffness: 50.0,
                damping: 0.7,
                length: 0.9,
            },
        });
        let read = |body: String, quantity, axis| Formula::Body {
            body,
            quantity,
            axis,
        };
        let drag = read(weight(i), BodyQuantity::Velocity, 1);
        let drag = Formula::Mul(Box::new(Formula::Number(-0.1)), Box::new(drag));
        out.forces.push(Force {
            name: format!("wind[{i}]"),
            kind: ForceKind::Load {
                at: Attachment::at(&weight(i), [0.0; 3]),
                force: [
                    Formula::Number(0.0),
                    drag,
                    read(link(i), BodyQuantity::Position, 0),
                ],
                torque: [0.0; 3].map(Formula::Number),
                frame: LoadFrame::World,
            },
        });
    }
    out
}

#[test]
fn a_sprung_chain_is_the_one_by_hand() {
    for n in [2, 5, 12] {
        let model = Sprung::new(SprungParameters { n }).unwrap();
        let dense = GenericSystem::new(sprung_by_hand(n)).unwrap();
        compare_by_hand(model, dense, 0.1);
    }
}

/// A rod between two bodies, each on a rail with a spring, with a load along it.
#[multibody(gravity = [0.0, 0.0, -9.81])]
struct Bridge {
    #[count(default = 5)]
    n: usize,
    #[body(mass = 2.0, inertia = [0.1, 0.2, 0.3])]
    #[start(position = [0.0, 0.0, 0.0])]
    left: Body<SE3>,
    #[body(mass = 3.0, inertia = [0.1, 0.2, 0.3])]
    #[start(position = [1.0, 0.0, 0.0])]
    right: Body<SE3>,
    #[start(position = [0.0, 0.0, 0.0], rotation = along(x))]
    nodes: [Node<SE3>; n + 1],
    #[rod(nodes[i], nodes[i + 1], kirchhoff, length = 1.0 / n, density = 0.7, inertia = 0.01, bending = 2.0,
        torsion = 1.5, extension = 300.0, damping = 0.02)]
    beam: [RodElement; n],
    #[joint(left, nodes[0])]
    grip: Fixed,
    #[joint(right, nodes[n])]
    hold: Fixed,
    #[joint(ground, left, axis = z)]
    rail: Prismatic,
    #[joint(ground at [1.0, 0.0, 0.0], right, axis = z)]
    lift: Cylindrical,
    #[force(ground at [0.0, 0.0, 1.0], left, stiffness = 40.0, length = 0.5)]
    spring: SpringDamper,
    #[force(lift, effort = -20.0 * lift.displacement - 0.4 * nodes[1].velocity.z)]
    motor: Actuator,
    #[force(beam, force = [0.0, 0.3 * t, 0.2])]
    wind: Load,
}

fn bridge_by_hand(n: usize) -> Description {
    #[expect(clippy::cast_precision_loss, reason = "a few elements")]
    let real = |i: usize| i as f64;
    let step = 1.0 / real(n);
    let half = 0.5_f64.sqrt();
    let node = |i: usize| format!("nodes[{i}]");
    let body = |name: &str, mass: f64, x: f64| Body {
        name: name.to_owned(),
        group: GroupKind::SE3,
        mass,
        inertia: [[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.3]],
        center: [0.0; 3],
        start: Start {
            position: vec![x, 0.0, 0.0],
            ..Start::default()
        },
    };
    let mut out = Description {
        name: "Bridge".to_owned(),
        gravity: [0.0, 0.0, -9.81],
        positions: PositionAxes::Inertial,
        bodies: vec![body("left", 2.0, 0.0), body("right", 3.0, 1.0)],
        ..Description::default()
    };
    let shares = |i: usize| if i == 0 || i == n { 0.5 * step } else { step };
    for i in 0..=n {
        let inertia = 0.01 * shares(i);
        out.bodies.push(Body {
            name: node(i),
            group: GroupKind::SE3,
            mass: 0.7 * shares(i),
            inertia: [
                [inertia, 0.0, 0.0],
                [0.0, inertia, 0.0],
                [0.0, 0.0, inertia],
            ],
            center: [0.0; 3],
            start: Start {
                position: vec![real(i) * step, 0.0, 0.0],
                rotation: [half, 0.0, half, 0.0],
                ..Start::default()
            },
        });
        let component = |x: f64| Formula::Number(x * shares(i));
        let rising = Formula::Mul(
            Box::new(component(1.0)),
            Box::new(Formula::Mul(
                Box::new(Formula::Number(0.3)),
                Box::new(Formula::Time),
            )),
        );
        out.forces.push(Force {
            name: format!("wind at {}", node(i)),
            kind: ForceKind::Load {
                at: Attachment::at(&node(i), [0.0; 3]),
                force: [component(0.0), rising, component(0.2)],
                torque: [0.0; 3].map(Formula::Number),
                frame: LoadFrame::World,
            },
        });
    }
    // The nodes have z along x, and x along -z: both frames are inertial at the start.
    let turned = |name: String| Attachment {
        body: name,
        point: [0.0; 3],
        axes: [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
    };
    let mut join = |name: &str, kind, first, second| {
        out.joints.push(Joint {
            name: name.to_owned(),
            kind,
            first,
            second,
        });
    };
    let at = |name: &str| Attachment::at(name, [0.0; 3]);
    join("grip", JointKind::Fixed, at("left"), turned(node(0)));
    join("hold", JointKind::Fixed, at("right"), turned(node(n)));
    // Axes x and y of the frames are a matter of choice: those that the library chooses.
    join("rail", JointKind::Prismatic, at(GROUND), at("left"));
    let ground = Attachment::at(GROUND, [1.0, 0.0, 0.0]);
    join("lift", JointKind::Cylindrical, ground, at("right"));
    for i in 0..n {
        out.rods.push(RodElement {
            name: format!("beam[{i}]"),
            first: at(&node(i)),
            second: at(&node(i + 1)),
            length: step,
            reference: [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            stiffness: [2.0, 2.0, 1.5, 0.0, 0.0, 300.0],
            damping: [0.04, 0.04, 0.04, 0.0, 0.0, 0.04],
            constraint: InternalConstraint::Kirchhoff,
        });
    }
    out.forces.push(Force {
        name: "spring".to_owned(),
        kind: ForceKind::SpringDamper {
            first: Attachment::at(GROUND, [0.0, 0.0, 1.0]),
            second: at("left"),
            stiffness: 40.0,
            damping: 0.0,
            length: 0.5,
        },
    });
    let displacement = Formula::Joint {
        joint: "lift".to_owned(),
        quantity: polhode::generic::description::JointQuantity::Displacement,
    };
    let speed = Formula::Body {
        body: node(1),
        quantity: BodyQuantity::Velocity,
        axis: 2,
    };
    let times = |x: f64, y| Formula::Mul(Box::new(Formula::Number(x)), Box::new(y));
    out.forces.push(Force {
        name: "motor".to_owned(),
        kind: ForceKind::Actuator {
            joint: "lift".to_owned(),
            effort: Formula::Sub(
                Box::new(times(-20.0, displacement)),
                Box::new(times(0.4, speed)),
            ),
        },
    });
    out
}

#[test]
fn a_bridge_is_the_one_by_hand() {
    for n in [1, 2, 7] {
        let model = Bridge::new(BridgeParameters { n }).unwrap();
        let dense = GenericSystem::new(bridge_by_hand(n)).unwrap();
        compare_by_hand(model, dense, 0.1);
    }
}

/// Names are those of the fields, and a state knows its elements, also beside continuous angles.
#[test]
fn names_and_states() {
    #[multibody]
    struct Coils {
        #[count(default = 3)]
        n: usize,
        #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
        #[start(position = [1.0 + i, 0.0, 0.0])]
        arms: [Body<S3xR3>; n],
        #[joint(ground at [1.0 + i, 0.0, 0.0], arms[i], axis = y, angle = 0.5)]
        hinges: [Revolute; n],
        #[force(hinges[i], stiffness = 1.0)]
        coils: [TorsionSpring; n],
        #[force(arms[0], force = [if t < 0.5 { 1.0 } else { 0.0 }, 0.0, 0.0])]
        pulse: Load,
        #[body(mass = 1.0)]
        #[start(position = [0.0, 7.0])]
        last: Body<R2>,
        #[force(last, arms[n - 1], stiffness = 1.0, length = 1.0)]
        rope: SpringDamper,
    }
    for n in [1, 4] {
        let model = Coils::new(CoilsParameters { n }).unwrap();
        let state = State::start(&model, 0.0);
        assert_eq!(state.q.len(), 7 * n + 2 + n);
        assert_close("angle", &[*state.q.last().unwrap()], &[0.5]);
        let arm = state.arms(n - 1).unwrap().position();
        #[expect(clippy::cast_precision_loss, reason = "a few arms")]
        let x = n as f64;
        assert_close("place", &arm, &[x, 0.0, 0.0]);
        assert!(state.arms(n).is_none());
        assert_close("place", &state.last().position(), &[0.0, 7.0, 0.0]);
        assert_eq!(model.factor_name(n - 1), format!("arms[{}]", n - 1));
        let hinge = state.joint(&model, &format!("hinges[{}]", n - 1)).unwrap();
        assert_close("angle", &[hinge.angle().unwrap()], &[0.5]);
        assert_eq!(model.kinks(), [0.5]);
        let description = model.description().unwrap();
        assert_eq!(description.name, "Coils");
        assert_eq!(description.forces.len(), n + 2);
    }
}
