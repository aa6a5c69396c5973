//! Forces with closed forms. `g` has forces with a minus.

use super::Mechanics;
use crate::example::{Values, close, model};
use crate::formula::Formula;
use crate::start::Start;

/// `g` of a model without gravity at `t = 0.5`, moved from its start.
fn check(fields: &str, theta: &[f64], v: &[f64], expected: &[f64]) {
    let model = model("", fields);
    let m = Mechanics::new(&model);
    let q: Vec<f64> = Start::new(&model)
        .q
        .iter()
        .filter_map(Formula::value)
        .collect();
    let mut values = Values::default();
    values.set("q", q);
    values.set("v", v.to_vec());
    values.set("t", vec![0.5]);
    let values = values.moved(&model, theta);
    let found = values.at(&m.geometry.graph, &m.force);
    close(&found, expected, 1e-14, fields);
}

#[test]
fn a_spring_pulls_its_ends_together_and_a_damper_slows_them() {
    // The distance is 5 and grows by 4/5 of the velocity along y.
    check(
        "#[body(mass = 1)] #[start(position = [3, 4, 0])] a: Body<R3>,
         #[force(ground, a, stiffness = 10, damping = 2, length = 3)] f: SpringDamper,",
        &[0.0; 3],
        &[0.0, 1.0, 0.0],
        &[21.6 * 0.6, 21.6 * 0.8, 0.0],
    );
}

/// A body that turns about z, on a hinge; the first number is its angle, the second its rate.
fn hinge(force: &str, [angle, rate]: [f64; 2], torque: f64) {
    let fields = format!(
        "#[body(mass = 1, inertia = [1, 1, 1])] a: Body<SE3>,
         #[joint(ground, a, axis = z)] j: Cylindrical, {force}"
    );
    let (mut theta, mut v, mut g) = ([0.0; 6], [0.0; 6], [0.0; 6]);
    (theta[2], v[2], g[2]) = (angle, rate, -torque);
    check(&fields, &theta, &v, &g);
}

#[test]
fn efforts_turn_the_second_body_forward() {
    hinge("#[force(j, effort = 3 + t)] f: Actuator,", [0.2, 0.0], 3.5);
    hinge(
        "#[force(j, effort = -2 * j.angle_rate)] f: Actuator,",
        [0.2, 5.0],
        -10.0,
    );
    // The same on the first body, with the opposite sign.
    let fields = "#[body(mass = 1, inertia = [1, 1, 1])] a: Body<SE3>,
         #[joint(a, ground, axis = z)] j: Revolute, #[force(j, effort = 3)] f: Actuator,";
    check(
        fields,
        &[0.0; 6],
        &[0.0; 6],
        &[0.0, 0.0, 3.0, 0.0, 0.0, 0.0],
    );
}

/// The angle in the configuration stays as it started, zero.
#[test]
fn controls_follow_their_target_and_its_rate() {
    // p (t^2 - 0) + d (2 t - rate)
    let control = "#[force(j, p = 8, d = 3, target = t * t)] f: PdControl,";
    hinge(control, [0.0, 0.25], 2.0 + 3.0 * 0.75);
    let spring = "#[force(j, stiffness = 8, damping = 3, angle = 0.5)] f: TorsionSpring,";
    hinge(spring, [0.0, 0.25], 4.0 - 0.75);
}

#[test]
fn a_control_of_a_displacement_is_a_force() {
    let fields = "#[body(mass = 1, inertia = [1, 1, 1])] a: Body<SE3>,
        #[joint(ground, a, axis = x)] j: Prismatic,
        #[force(j, p = 8, d = 3, target = 1)] f: PdControl,";
    let (mut theta, mut v, mut g) = ([0.0; 6], [0.0; 6], [0.0; 6]);
    // 8 (1 - 1/8) - 3 * 2 = 1
    (theta[3], v[3], g[3]) = (0.125, 2.0, -1.0);
    check(fields, &theta, &v, &g);
}

/// A quarter turn about z: x of space is -y of the body.
#[test]
fn a_load_in_the_frame_of_its_body_turns_with_it() {
    let fields = |group: &str, frame: &str| {
        format!(
            "#[body(mass = 1, inertia = [1, 1, 1])] #[start(rotation = rz(PI / 2))] a: Body<{group}>,
             #[force(a at 2 * x, force = 3 * x{frame})] f: Load,"
        )
    };
    let check = |group: &str, frame: &str, g: [f64; 6]| {
        check(&fields(group, frame), &[0.0; 6], &[0.0; 6], &g);
    };
    // Along the arm there is no moment; across it is -2 * 3 about z.
    check("SE3", ", frame = body", [0.0, 0.0, 0.0, -3.0, 0.0, 0.0]);
    check("SE3", "", [0.0, 0.0, 6.0, 0.0, 3.0, 0.0]);
    check("SO3xR3", ", frame = body", [0.0, 0.0, 0.0, 0.0, -3.0, 0.0]);
    check("SO3xR3", "", [0.0, 0.0, 6.0, -3.0, 0.0, 0.0]);
}

/// Rotation and translation of the first frame as the second sees them have the same sign: what
/// couples them has the energy `k sin(angle) shift`.
#[test]
fn a_bushing_couples_rotation_and_translation() {
    let fields = "#[body(mass = 1, inertia = [1, 1, 1])] a: Body<SO3xR3>,
        #[force(ground, a, stiffness = [[9, 0, 0, 5, 0, 0], [0; 6], [0; 6],
            [5, 0, 0, 9, 0, 0], [0; 6], [0; 6]])] f: Bushing,";
    let (angle, shift) = (0.3_f64, 0.2);
    let moment = 9.0 * angle.sin() * angle.cos() + 5.0 * shift * angle.cos();
    let force = 9.0 * shift + 5.0 * angle.sin();
    let theta = [angle, 0.0, 0.0, shift, 0.0, 0.0];
    check(
        fields,
        &theta,
        &[0.0; 6],
        &[moment, 0.0, 0.0, force, 0.0, 0.0],
    );
}

#[test]
fn modal_springs_are_matrices() {
    let fields = "#[body(mass = [1, 1])] m: Body<R2>,
        #[force(m, stiffness = [[3, 1], [1, 2]], damping = [[1, 4], [-4, 1]])] f: ModalSpring,
        #[force(m, force = [t, 7])] h: Load,";
    // K x + D x' - f
    check(
        fields,
        &[2.0, 5.0],
        &[10.0, 20.0],
        &[11.0 + 90.0 - 0.5, 12.0 - 20.0 - 7.0],
    );
}
