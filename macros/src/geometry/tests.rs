//! Identities when vectors are made, and derivatives against differences.

use super::{Direction, Frame, Geometry, Scalar, Vector};
use crate::example::{GROUPS, Values, close, dot, model, rotated, rotation};
use crate::expr::Id;
use crate::formula::Elementary;
use crate::model::{BodyId, JointId, Model};

const A: Option<BodyId> = Some(BodyId(0));

/// Bodies on two groups. One of them may have modal coordinates, or be unable to turn.
fn pair(first: &str, second: &str) -> Model {
    let body = |name: &str, group: &str| {
        let inertia = if group.starts_with('R') {
            ""
        } else {
            ", inertia = [1, 1, 1]"
        };
        let place = if group == "R3" || !inertia.is_empty() {
            "#[start(position = [1, 2, 3])]"
        } else {
            ""
        };
        format!("#[body(mass = 1{inertia}, free)] {place} {name}: Body<{group}>,")
    };
    model("", &(body("a", first) + &body("b", second)))
}

fn lowered(g: &mut Geometry<'_>, scalars: &[Scalar]) -> Vec<Id> {
    scalars.iter().map(|s| g.lower_scalar(*s)).collect()
}

/// Points, axes and other vectors of all bodies in space, one of them of time.
fn vectors(g: &mut Geometry<'_>) -> Vec<Vector> {
    let t = g.graph.number("t");
    let (zero, half) = (g.graph.zero(), g.graph.constant(0.5));
    let square = g.graph.mul(t, t);
    let moving = g.fixed([square, half, zero]);
    let mut all = vec![moving];
    for id in g.model.body_ids() {
        if g.model.body(id).modes().is_some() {
            continue;
        }
        let (body, arm) = (Some(id), g.constant([0.3, -0.2, 0.5]));
        let (place, axis) = (g.position(body), g.rotated(body, arm));
        let point = g.add(place, axis);
        let before = *all.last().expect("one");
        let seen = g.rotated_back(body, before);
        let swing = g.cross(point, before);
        let twice = g.rotated(body, swing);
        all.extend([point, axis, seen, twice]);
    }
    all
}

/// Scalars with every operation, made of these vectors and of modal coordinates.
fn scalars(g: &mut Geometry<'_>) -> Vec<Scalar> {
    let vectors = vectors(g);
    let mut all: Vec<Scalar> = vectors.windows(2).map(|v| g.dot(v[0], v[1])).collect();
    let last = *vectors.last().expect("one");
    all.push(g.dot(last, last));
    for id in g.model.body_ids() {
        if g.model.body(id).modes().is_some() {
            let (x, y) = (g.mode(id, 0), g.mode(id, 4));
            all.push(g.product(x, y));
        }
    }
    let [half, one, two] = [0.5, 1.0, 2.0].map(|x| g.constant_number(x));
    let mut more = Vec::new();
    for pair in all.windows(2) {
        let (x, y) = (pair[0], pair[1]);
        let square = g.sum(vec![(y, y), (one, two)]);
        // Between -1 and 1, as some functions want it, and positive.
        let part = g.quotient(x, square);
        let part = g.call(Elementary::Tanh, part);
        let part = g.product(half, part);
        let turn = g.atan2(x, square);
        let choice = g.select([x, y, part, turn]);
        let scaled = g.scale(part, last);
        more.extend([square, part, turn, choice, g.dot(scaled, last)]);
        for (_, function) in Elementary::NAMED {
            let positive = g.sum(vec![(one, part), (one, one)]);
            let inside = matches!(
                function,
                Elementary::Asin | Elementary::Acos | Elementary::Abs
            );
            more.push(g.call(function, if inside { part } else { positive }));
        }
    }
    all.extend(more);
    all
}

#[test]
fn a_vector_that_is_turned_there_and_back_is_itself() {
    let model = pair("SE3", "R3");
    let mut g = Geometry::new(&model);
    let a = g.constant([1.0, 2.0, 3.0]);
    let turned = g.rotated(A, a);
    assert_ne!(turned, a);
    assert_eq!(g.rotated_back(A, turned), a);
    let back = g.rotated_back(A, a);
    assert_eq!(g.rotated(A, back), a);
    // In a sum, too: R^T (x + R a) = R^T x + a.
    let place = g.position(A);
    let sum = g.add(place, turned);
    let seen = g.rotated_back(A, sum);
    let inside = g.rotated_back(A, place);
    assert_eq!(seen, g.add(a, inside));
    // The ground and a point do not turn, and zero is zero everywhere.
    assert_eq!(g.rotated(None, a), a);
    assert_eq!(g.rotated(Some(BodyId(1)), a), a);
    let zero = g.zero();
    assert_eq!(g.rotated(A, zero), zero);
}

#[test]
fn sums_and_products_are_canonical() {
    let model = pair("SE3", "R3");
    let mut g = Geometry::new(&model);
    let (x, a) = (g.position(A), g.constant([1.0, 2.0, 3.0]));
    let sum = g.add(x, a);
    assert_eq!(g.sub(sum, x), a);
    assert_eq!(g.sub(x, x), g.zero());
    assert_eq!(g.cross(x, x), g.zero());
    let (one, two) = (g.constant_number(1.0), g.constant_number(2.0));
    let double = g.add(x, x);
    assert_eq!(double, g.scale(two, x));
    assert_eq!(g.dot(a, x), g.dot(x, a));
    assert_eq!(g.dot(a, a), g.constant_number(14.0));
    let s = g.dot(a, x);
    assert_eq!(g.product(one, s), s);
    assert_eq!(g.quotient(s, one), s);
    assert_eq!(g.select([s, one, s, s]), s);
    assert_eq!(g.call(Elementary::Sqrt, one), one);
}

#[test]
fn derivatives_are_differences() {
    for first in GROUPS {
        for second in ["SE3", "R5"] {
            let model = pair(first, second);
            let mut g = Geometry::new(&model);
            let scalars = scalars(&mut g);
            let along = g.motion("w").and_time();
            let slopes: Vec<Scalar> = scalars
                .iter()
                .map(|s| g.scalar_derivative(*s, &along))
                .collect();
            let [numbers, slopes] = [scalars, slopes].map(|list| lowered(&mut g, &list));
            let values = Values::of_model(&model);
            let found = values.at(&g.graph, &slopes);
            let mut at = |values: &Values| values.at(&g.graph, &numbers);
            let expected = values.slope(&model, (values.get("w"), 1.0), &mut at);
            assert!(expected.iter().any(|x| x.abs() > 0.1));
            for (i, (x, y)) in found.iter().zip(&expected).enumerate() {
                close(
                    &[*x],
                    &[*y],
                    1e-8,
                    &format!("{first}, {second}, scalar {i}"),
                );
            }
        }
    }
}

#[test]
fn gradients_are_derivatives_in_all_directions() {
    for first in GROUPS.into_iter().filter(|group| *group != "R5") {
        let model = pair(first, "S3xR3");
        let mut g = Geometry::new(&model);
        let along = g.motion("w");
        for (i, s) in scalars(&mut g).into_iter().enumerate() {
            let slope = g.scalar_derivative(s, &along);
            let mut power = g.constant_number(0.0);
            let one = g.constant_number(1.0);
            for (body, [moment, force]) in g.gradient(s) {
                let (turn, shift) = along.bodies[&body];
                let (x, y) = (g.dot(moment, turn), g.dot(force, shift));
                power = g.sum(vec![(one, power), (one, x), (one, y)]);
            }
            let ids = lowered(&mut g, &[power, slope]);
            let found = Values::of_model(&model).at(&g.graph, &ids);
            close(
                &found[..1],
                &found[1..],
                1e-12,
                &format!("{first}, scalar {i}"),
            );
        }
    }
}

/// In the axes of the bodies the translations of direct products turn with them.
#[test]
fn directions_have_the_axes_of_their_frame() {
    for group in GROUPS {
        let model = pair(group, "R3");
        let (mut g, body) = (Geometry::new(&model), &model.bodies[0]);
        let values = Values::of_model(&model);
        let s = scalars(&mut g)[0];
        let number = g.lower_scalar(s);
        for frame in [Frame::Group, Frame::Body] {
            for (i, (column, along)) in g.directions(BodyId(0), frame).into_iter().enumerate() {
                assert_eq!(column, i);
                let mut rate = vec![0.0; model.dof()];
                rate[i] = 1.0;
                if frame == Frame::Body && body.group.is_direct() && i >= 3 {
                    let r = rotation(body.group, values.get("q"));
                    let unit = core::array::from_fn(|k| f64::from(u8::from(k + 3 == i)));
                    rate[3..6].copy_from_slice(&rotated(&r, unit));
                }
                let slope = g.scalar_derivative(s, &along);
                let slope = g.lower_scalar(slope);
                let mut at = |values: &Values| values.at(&g.graph, &[number]);
                let expected = values.slope(&model, (&rate, 0.0), &mut at);
                close(&values.at(&g.graph, &[slope]), &expected, 1e-9, group);
            }
        }
    }
}

/// A hinge at the origin of a body: what it turns by is its angle.
#[test]
fn coordinates_of_joints() {
    for group in ["SE3", "S3xR3", "SO3xR3", "S3sR3"] {
        let model = model(
            "",
            &format!(
                "#[body(mass = 1, inertia = [1, 1, 1])]
                 #[start(position = [1, 2, 3], rotation = rx(0.3) * ry(-0.8))] a: Body<{group}>,
                 #[joint(ground, a, at = world([1, 2, 3]), axis = [1, -2, 0.5])] j: Cylindrical,"
            ),
        );
        let mut g = Geometry::new(&model);
        let joint = &model.joints[0];
        let along = g.motion("v");
        let (angle, shift) = (g.angle(JointId(0)), g.displacement(joint));
        let held = g.rate_about_axis(joint, &along);
        let [of_angle, of_shift] = [angle, shift].map(|s| g.scalar_derivative(s, &along));
        let ids = lowered(&mut g, &[angle, shift, of_angle, of_shift, held]);
        let body = &model.bodies[0];
        let axis = joint.second.axes[2];
        let r = crate::model::rotation_matrix(body.start.rotation);
        let slide = if body.group.is_direct() {
            rotated(&r, axis)
        } else {
            axis
        };
        // The start, turned by 1.2 and moved by 0.7 along the axis, with rates 3 and 5.
        let motion = |turn: f64, shift: f64| {
            let parts = [axis.map(|x| turn * x), slide.map(|x| shift * x)];
            parts.concat()
        };
        let start = crate::start::Start::new(&model);
        let q = start.q.iter().filter_map(crate::formula::Formula::value);
        let mut values = Values::default();
        values.set("q", q.collect());
        let mut values = values.moved(&model, &motion(1.2, 0.7));
        values.set("v", motion(3.0, 5.0));
        let found = values.at(&g.graph, &ids);
        close(&found, &[1.2, 0.7, 3.0, 5.0, 3.0], 1e-14, group);
    }
}

#[test]
fn continuous_angles_follow_the_one_before() {
    let model = model(
        "",
        "#[body(mass = 1, inertia = [1, 1, 1])] a: Body<SE3>,
         #[joint(ground, a, axis = z)] j: Revolute,
         #[force(j, stiffness = 1)] f: TorsionSpring,",
    );
    let mut g = Geometry::new(&model);
    let angle = g.followed_angle(JointId(0), 12);
    let mut values = Values::of_model(&model);
    let mut q: Vec<f64> = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0].into();
    q.push(40.0);
    values.set("q", q);
    let mut turn = vec![0.0; 6];
    turn[2] = 3.0;
    let found = values.moved(&model, &turn).at(&g.graph, &[angle]);
    close(&found, &[3.0 + 6.0 * std::f64::consts::TAU], 1e-14, "angle");
}

#[test]
fn late_values_have_one_place_each() {
    let model = pair("R3", "R3");
    let mut g = Geometry::new(&model);
    let (p, t) = (g.graph.input("p", 0), g.graph.number("t"));
    let (two, three) = (g.graph.constant(2.0), g.graph.constant(3.0));
    let double = g.graph.mul(two, p);
    let place = g.late(double);
    assert_eq!(place, g.graph.input("c", 0));
    assert_eq!(g.late(double), place);
    // What is made of late values is late, over `p` again; numbers and time are not.
    let more = g.graph.add(place, three);
    assert_eq!(g.late(more), g.graph.input("c", 1));
    assert_eq!(g.constants[1], g.graph.add(double, three));
    assert_eq!(g.late(three), three);
    let timed = g.graph.mul(place, t);
    assert_eq!(g.late(timed), timed);
    assert_eq!(g.constants.len(), 2);
}

/// What formulas read is what the motion does: rates are derivatives.
#[test]
fn formulas_read_the_motion() {
    for group in ["SE3", "SO3xR3", "R3"] {
        let inertia = if group == "R3" {
            ""
        } else {
            ", inertia = [1, 1, 1]"
        };
        let model = model(
            "",
            &format!(
                "#[body(mass = 1{inertia})] #[start(position = [1, 2, 3])] a: Body<{group}>,
                 #[body(mass = [1, 2])] m: Body<R2>,
                 #[param(default = 4)] p: f64,
                 #[force(a, force = a.position + [m.position[1], t, p / 2])] f: Load,
                 #[force(a, force = a.velocity + [m.velocity[1], 1, 0])] h: Load,"
            ),
        );
        let mut g = Geometry::new(&model);
        let [at, rates] = [0, 1].map(|i| {
            let crate::model::ForceKind::Load { force, .. } = &model.forces[i].kind else {
                panic!()
            };
            let vector = g.formulas(force);
            g.lower(vector)
        });
        let values = Values::of_model(&model).with_constants(&g);
        let mut numbers = |values: &Values| values.at(&g.graph, &at);
        let expected = values.slope(&model, (values.get("v"), 1.0), &mut numbers);
        close(&values.at(&g.graph, &rates), &expected, 1e-10, group);
        // Position, the second mode, time and the parameter.
        let q = values.get("q");
        let x = &q[q.len() - 5..];
        let expected = [x[0] + x[4], x[1] + 0.3, x[2] + 2.0];
        close(&values.at(&g.graph, &at), &expected, 1e-15, group);
    }
}

/// `B` of a joint with the ground has no configuration in it on a semidirect product.
#[test]
fn directions_cancel_the_rotation_of_semidirect_products() {
    let model = pair("SE3", "R3");
    let mut g = Geometry::new(&model);
    let place = g.position(A);
    let hook = g.constant([1.0, 0.0, 0.0]);
    let apart = g.sub(hook, place);
    let seen = g.rotated_back(A, apart);
    let unit = g.constant([0.0, 1.0, 0.0]);
    let zero = g.zero();
    let along = Direction::of_body(BodyId(0), zero, unit);
    let slope = g.vector_derivative(seen, &along);
    let components = g.lower(slope).map(|id| g.graph.value(id));
    assert_eq!(components, [0.0, -1.0, 0.0].map(Some));
}

/// Rotation matrices of the configuration, against products of quaternions.
#[test]
fn rotations_are_those_of_the_configuration() {
    for group in ["SO3", "S3", "SE3", "S3sR3"] {
        let model = pair(group, "R3");
        let mut g = Geometry::new(&model);
        let matrix = g.rotation(BodyId(0)).concat();
        let values = Values::of_model(&model);
        let expected = rotation(model.bodies[0].group, values.get("q"));
        let found = values.at(&g.graph, &matrix);
        close(&found, expected.as_flattened(), 1e-15, group);
        assert!((dot(&found, &found) - 3.0).abs() < 1e-14);
    }
}
