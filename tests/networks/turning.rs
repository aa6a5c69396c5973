//! Bodies that turn about fixed origins, on `SO3` and `S3`.

use super::end;
use polhode::generic::GenericSystem;
use polhode::generic::description::{
    Attachment, Body, Description, Force, ForceKind, PositionAxes, Start,
};
use polhode::lie::GroupKind;
use polhode::prelude::{GeneralizedAlpha, HalfExplicit, State, multibody};
use polhode_tests::compare::compare_by_hand;
use polhode_tests::gap;

/// A row of pendulums, each coupled to the next by a spring.
macro_rules! row {
    ($name:ident, $group:ident, $($hold:tt)*) => {
        #[multibody(gravity = [0.1, 0.2, -9.81])]
        struct $name {
            #[count(default = 4, min = 2)]
            n: usize,
            #[body(mass = 1.0 + 0.1 * i, inertia = [0.2, 0.3, 0.25], center = [0.0, 0.1, -0.5])]
            #[start(position = [i / n, 0.0, 0.3], rotation = rx(0.2 * i) * ry(0.1),
                angular_velocity = world([0.3, 0.1 * i, 0.2]))]
            bobs: [Body<$group>; n],
            #[force(bobs[i] at [0.0, 0.0, -0.8], bobs[i + 1] at [0.0, 0.1, -0.7],
                stiffness = 30.0, damping = 0.2, length = 0.3)]
            springs: [SpringDamper; n - 1],
            $($hold)*
        }
    };
}
row!(Matrices, SO3,);
row!(Quaternions, S3,);
row!(Held, SE3,
    #[joint(ground at [i / n, 0.0, 0.3], bobs[i])]
    pins: [Spherical; n],
);

fn by_hand(n: usize, group: GroupKind) -> Description {
    #[expect(clippy::cast_precision_loss, reason = "a few bodies")]
    let real = |i: usize| i as f64;
    let name = |i: usize| format!("bobs[{i}]");
    let mut out = Description {
        name: "row".to_owned(),
        gravity: [0.1, 0.2, -9.81],
        positions: PositionAxes::Inertial,
        ..Description::default()
    };
    for i in 0..n {
        // rx(a) ry(b), and its transpose times the angular velocity.
        let (a, b) = (0.2 * real(i), 0.1_f64);
        let ((sa, ca), (sb, cb)) = ((0.5 * a).sin_cos(), (0.5 * b).sin_cos());
        let [x, y, z] = [0.3, 0.1 * real(i), 0.2];
        let [y, z] = [a.cos() * y + a.sin() * z, a.cos() * z - a.sin() * y];
        let [x, z] = [b.cos() * x - b.sin() * z, b.cos() * z + b.sin() * x];
        out.bodies.push(Body {
            name: name(i),
            group,
            mass: 1.0 + 0.1 * real(i),
            inertia: [[0.2, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.25]],
            center: [0.0, 0.1, -0.5],
            start: Start {
                position: vec![real(i) / real(n), 0.0, 0.3],
                rotation: [ca * cb, sa * cb, ca * sb, sa * sb],
                angular_velocity: [x, y, z],
                ..Start::default()
            },
        });
    }
    for i in 0..n - 1 {
        out.forces.push(Force {
            name: format!("springs[{i}]"),
            kind: ForceKind::SpringDamper {
                first: Attachment::at(&name(i), [0.0, 0.0, -0.8]),
                second: Attachment::at(&name(i + 1), [0.0, 0.1, -0.7]),
                stiffness: 30.0,
                damping: 0.2,
                length: 0.3,
            },
        });
    }
    out
}

#[test]
fn a_row_of_turning_bodies_is_the_one_by_hand() {
    for n in [2, 5] {
        let dense = |group| GenericSystem::new(by_hand(n, group)).unwrap();
        let model = Matrices::new(MatricesParameters { n }).unwrap();
        compare_by_hand(model, dense(GroupKind::SO3), 0.1);
        let model = Quaternions::new(QuaternionsParameters { n }).unwrap();
        compare_by_hand(model, dense(GroupKind::S3), 0.1);
    }
}

/// The same bodies on `SE3` with a spherical joint at each origin: no equation in common but those
/// of the springs. The methods have an order, not rounding errors, in common.
#[test]
fn turning_bodies_move_as_if_held_by_joints() {
    let n = 5;
    let free = Matrices::new(MatricesParameters { n }).unwrap();
    let quaternions = Quaternions::new(QuaternionsParameters { n }).unwrap();
    let held = Held::new(HeldParameters { n }).unwrap();
    let h = 1.0 / 1024.0;
    let expected = end(&held, HalfExplicit::order5(), h, 0.5);
    let one = end(&free, HalfExplicit::order5(), h, 0.5);
    let other = end(&quaternions, HalfExplicit::order5(), h, 0.5);
    let implicit = end(&free, GeneralizedAlpha::stabilized_index2(), h, 0.5);
    let start = State::start(&free, 0.0);
    for i in 0..n {
        let body = expected.bobs(i).unwrap();
        for (state, tolerance) in [(&one, 1e-10), (&implicit, 1e-4)] {
            let bob = state.bobs(i).unwrap();
            let turn = gap(&bob.rotation(), &body.rotation());
            let speed = gap(&bob.angular_velocity(), &body.angular_velocity());
            println!("{i}: {turn:.1e} {speed:.1e}");
            assert!(
                turn < tolerance && speed < 10.0 * tolerance,
                "{i}: {turn:e} {speed:e}"
            );
            assert!(
                gap(&bob.position(), &body.position()) < 1e-12,
                "{:?}",
                bob.position()
            );
        }
        let bob = other.bobs(i).unwrap();
        assert!(gap(&bob.rotation(), &body.rotation()) < 1e-10);
        let moved = gap(&start.bobs(i).unwrap().rotation(), &body.rotation());
        assert!(moved > 0.05, "{i}: {moved}");
    }
}
