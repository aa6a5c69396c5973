//! Models that keep or break one rule each.

use super::motion::{Point, declared};
use super::{Mobility, components, motion};
use crate::diag::Diagnostics;
use crate::example::{close, dot, lowered, model, one_error};
use crate::formula::Formula;
use crate::mechanics::Mechanics;
use crate::start::Start;

/// All errors of a model that could be read, its start, and what it can do.
fn checked(arguments: &str, fields: &str) -> (Vec<String>, Start, Option<Mobility>) {
    let (model, read, errors) = lowered(arguments, fields);
    assert!(errors.is_empty(), "{errors:#?}");
    let mut dx = Diagnostics::default();
    components(&model, &read, &mut dx);
    let mut start = Start::new(&model);
    let mobility = motion(&mut Mechanics::new(&model), &mut start, &mut dx);
    (dx.messages(), start, mobility)
}

fn fine(fields: &str) -> Start {
    let (errors, start, _) = checked("", fields);
    assert_eq!(errors, [""; 0], "{fields}");
    start
}

fn fails(fields: &str, words: &str) {
    one_error(&checked("", fields).0, words);
}

#[test]
fn bodies_have_masses_and_inertias_that_exist() {
    let of = |numbers: &str| format!("#[body({numbers}, free)] a: Body<SE3>,");
    fine(&of("mass = 1, inertia = [1, 1, 1]"));
    fails(&of("mass = 0, inertia = [1, 1, 1]"), "the mass of `a` is 0");
    fails(
        &of("mass = -2, inertia = [1, 1, 1]"),
        "the mass of `a` is -2",
    );
    // The limit of the triangle is a flat body.
    fine(&of("mass = 1, inertia = [1, 2, 3]"));
    fails(
        &of("mass = 1, inertia = [1, 2, 3.1]"),
        "the largest exceeds the sum of the others",
    );
    fine(&of("mass = 1, inertia_unchecked = [1, 2, 3.1]"));
    fails(&of("mass = 1, inertia = [0, 1, 1]"), "all must be positive");
    let full = |xy: f64, yx: f64| {
        of(&format!(
            "mass = 1, inertia = [[2, {xy:?}, 0], [{yx:?}, 2, 0], [0, 0, 2]]"
        ))
    };
    fine(&full(0.5, 0.5));
    fails(
        &full(0.5, 0.6),
        "is not symmetric: 0.5 and 0.6 across the diagonal",
    );
    // Rounding of written digits, and a mistake in the last of them.
    fine(&full(0.5, 0.5 + 2e-13));
    fails(&full(0.5, 0.5 + 2e-12), "is not symmetric");
    fine(&full(5e-3, 5e-3 + 5e-15));
    fails(&full(5e-3, 5e-3 + 2e-14), "is not symmetric");
    fails(&full(2.5, 2.5), "all must be positive");
    fine("#[body(mass = 1, inertia = [1, 1, 1], center = x, free)] a: Body<SE3>,");
    fails(
        "#[body(mass = 1, inertia = [1, 1, 1], center = x, free)] a: Body<SO3xR3>,",
        "the frame of `a` on SO3xR3 must be at its centre of mass",
    );
}

#[test]
fn defaults_of_parameters_are_looked_at() {
    let of = |default: f64| {
        format!("#[body(mass = p - 1, free)] a: Body<R3>, #[param(default = {default:?})] p: f64,")
    };
    fine(&of(1.5));
    fails(&of(0.5), "the mass of `a` is -0.5");
}

#[test]
fn something_holds_every_body() {
    let body = "#[body(mass = 1)] #[start(position = x)] a: Body<R3>,";
    fails(body, "body `a` is not connected to anything");
    fine("#[body(mass = 1, free)] a: Body<R3>,");
    fine("#[body(mass = 1, inertia = [1, 1, 1])] a: Body<SO3>,");
    fine(&format!(
        "{body} #[joint(ground, a, length = 1)] j: Distance,"
    ));
    fine(&format!("{body} #[force(a, force = x)] f: Load,"));
    fails(
        "#[body(mass = [1, 2])] a: Body<R2>,",
        "add a `ModalSpring` or a `Load`",
    );
}

#[test]
fn coefficients_are_not_negative() {
    let bodies = "
        #[body(mass = 1, inertia = [1, 1, 1])] #[start(position = x)] a: Body<SE3>,
        #[joint(ground, a, at = world([0, 0, 0]), axis = z)] j: Revolute,";
    let fine = |force: &str| fine(&format!("{bodies} {force}"));
    let fails = |force: &str, words: &str| fails(&format!("{bodies} {force}"), words);
    fine("#[force(ground, a, stiffness = 0, length = 0)] f: SpringDamper,");
    fails(
        "#[force(ground, a, stiffness = -1, length = 1)] f: SpringDamper,",
        "the stiffness of `f` is -1",
    );
    fails(
        "#[force(ground, a, stiffness = 1, length = -2)] f: SpringDamper,",
        "the length of `f` is -2",
    );
    fails(
        "#[force(j, stiffness = 1, damping = -3)] f: TorsionSpring,",
        "the damping of `f` is -3",
    );
    fails(
        "#[force(j, p = -4, d = 0, target = t)] f: PdControl,",
        "the gain `p` of `f` is -4",
    );
    fine("#[force(ground, a, stiffness = [1, 1, 1, 0, 0, 0])] f: Bushing,");
    fails(
        "#[force(ground, a, stiffness = [1, 1, 1, 1, 1, -1])] f: Bushing,",
        "pushes away in some direction",
    );
    fails(
        "#[force(ground, a, stiffness = [1; 6], damping = [1, -1, 1, 1, 1, 1])] f: Bushing,",
        "the damping of `f` drives the motion",
    );
}

#[test]
fn matrices_of_modal_coordinates_are_definite() {
    let of = |mass: &str, spring: &str| {
        format!("#[body(mass = {mass})] a: Body<R2>, #[force(a, {spring})] f: ModalSpring,")
    };
    let (mass, spring) = ("[[2, 1], [1, 2]]", "stiffness = [[1, 1], [1, 1]]");
    fine(&of(mass, spring));
    fails(
        &of("[[2, 1], [0, 2]]", spring),
        "not symmetric: 1 and 0 at [0][1] and [1][0]",
    );
    fails(
        &of("[1, 0]", spring),
        "the mass of `a` is 0 for coordinate 1",
    );
    fails(&of("[[2, 2], [2, 2]]", spring), "is not positive definite");
    fails(
        &of(mass, "stiffness = [[1, 2], [2, 1]]"),
        "pushes away from zero",
    );
    // Only the symmetric part of a damping brakes, or drives.
    fails(
        &of(mass, "stiffness = [1, 1], damping = [[1, 3], [0, 1]]"),
        "drives the motion",
    );
    fine(&of(mass, "stiffness = [1, 1], damping = [[1, 5], [-5, 1]]"));
    fails(
        &of(mass, "stiffness = [1, 1], damping = [[1, 5], [5, 1]]"),
        "drives the motion",
    );
    fails(
        &of(mass, "stiffness = [1, 1], damping = [[1, -1.1], [-1.1, 1]]"),
        "drives the motion",
    );
}

#[test]
fn values_are_finite() {
    let body = "#[body(mass = 1)] #[start(position = x)] a: Body<R3>,";
    let fails = |more: &str, words: &str| fails(&format!("{body} {more}"), words);
    fails(
        "#[joint(ground, a, length = 0)] j: Distance,",
        "the length of `j` is 0",
    );
    fails(
        "#[force(a, force = t / 0 * x)] f: Load,",
        "`f` has no finite value",
    );
    fails(
        "#[force(a, force = a.position / t)] f: Load,",
        "no finite value at the start: it is -inf",
    );
    fails(
        "#[force(ground at x, a, stiffness = 1, length = 1)] f: SpringDamper,",
        "the points of `f` coincide at the start",
    );
    let at = |position: &str, ground: &str| {
        format!(
            "#[body(mass = 1)] #[start(position = {position}, velocity = 2 * x)] a: Body<R3>,
             #[force(ground at {ground}, a, stiffness = 1, length = 1)] f: SpringDamper,
             #[force(a, force = x / a.velocity[0])] g: Load,"
        )
    };
    fine(&at("[1, -1, 0]", "0 * x"));
    self::fails(
        &at("1000 * x", "(1000 + 1e-12) * x"),
        "coincide at the start",
    );
    fails(
        "#[joint(ground, a, distance = 1 / t)] j: Driver,",
        "joint `j` has no finite value",
    );
}

#[test]
fn start_positions_fulfil_the_joints() {
    let at = |x: f64| {
        format!(
            "#[body(mass = 1)] #[start(position = [{x:?}, 0, 0])] a: Body<R3>,
             #[joint(ground at x, a)] j: Spherical,"
        )
    };
    fine(&at(1.0));
    fine(&at(1.0 + 1e-9));
    fails(
        &at(1.25),
        "violate joint `j`: position along x is 0.250000 off",
    );
    let default = at(1.25).replace("1.25,", "p,") + "#[param(default = 1.25)] p: f64,";
    fails(&default, "position along x is 0.250000 off");
    // `assemble` closes the gap, and says what it was.
    let (errors, start, _) = checked("assemble", &at(1.25));
    assert_eq!(errors, [""; 0]);
    assert_eq!(start.assembled.map(|from| from.declared[0]), Some(1.25));
    let q: Vec<f64> = start.q.iter().filter_map(Formula::value).collect();
    close(&q, &[1.0, 0.0, 0.0], 1e-14, "assembled");
    let far = "#[body(mass = 1)] #[start(position = x)] a: Body<R3>,
        #[joint(ground, a, length = 1)] i: Distance, #[joint(ground at 9 * x, a, length = 1)] j: Distance,";
    one_error(
        &checked("assemble", far).0,
        "the mechanism cannot be assembled",
    );
}

#[test]
fn start_velocities_fulfil_the_joints() {
    let with = |velocity: &str| {
        format!(
            "#[body(mass = 1)] #[start(position = 2 * x, velocity = {velocity})] a: Body<R3>,
             #[joint(ground, a, length = 2)] j: Distance,"
        )
    };
    fine(&with("3 * y"));
    fine(&with("1000 * y + 1e-6 * x"));
    fails(
        &with("0.5 * x + y"),
        "length changes by 0.500000 per second",
    );
}

/// What is not given is the shortest velocity that the joints allow.
#[test]
fn velocities_follow_from_the_joints() {
    let velocities = |fields: &str| -> Vec<f64> {
        let start = fine(fields);
        start.v.iter().filter_map(Formula::value).collect()
    };
    // A rod of two points, of which one is given: the other follows along the rod only.
    let points = "
        #[body(mass = 1, free)] #[start(position = 0 * x, velocity = [3, 4, 0])] a: Body<R3>,
        #[body(mass = 1)] #[start(position = x)] b: Body<R3>,
        #[joint(a, b, length = 1)] j: Distance,";
    close(
        &velocities(points),
        &[3.0, 4.0, 0.0, 3.0, 0.0, 0.0],
        1e-14,
        "rod",
    );
    // A hinge that is driven turns as fast as its function.
    let driven = "
        #[body(mass = 1, inertia = [1, 1, 1])] #[start(position = x)] a: Body<SO3xR3>,
        #[joint(ground, a, at = world([0, 0, 0]), axis = z)] j: Revolute,
        #[joint(ground, a, at = world([0, 0, 0]), axis = z, angle = 5 * t)] k: Driver,";
    close(
        &velocities(driven),
        &[0.0, 0.0, 5.0, 0.0, 5.0, 0.0],
        1e-14,
        "driver",
    );
    // So it does if its mass is not known.
    fine(&driven.replace("mass = 1", "mass = self::MASS"));
    // Heavy and light bodies.
    let pulled = |name: &str, mass: f64| {
        format!(
            "#[body(mass = {mass:?})] #[start(position = x)] {name}: Body<R3>,
             #[joint(ground, {name}, distance = 1 + 5 * t)] to_{name}: Driver,"
        )
    };
    close(
        &velocities(&(pulled("a", 1e10) + &pulled("b", 1e-10))),
        &[5.0, 0.0, 0.0, 5.0, 0.0, 0.0],
        1e-14,
        "masses",
    );
}

/// Four bars in a plane, with hinges about `axis`.
fn four_bars(last: &str) -> String {
    let bar = |name: &str, x: f64, y: f64| {
        format!(
            "#[body(mass = 1, inertia = [1, 1, 1])] #[start(position = [{x:?}, {y:?}, 0])] {name}: Body<SE3>,"
        )
    };
    let bars = bar("a", 0.0, 0.5) + &bar("b", 1.0, 1.0) + &bar("c", 2.0, 0.6);
    format!(
        "{bars}
         #[joint(ground, a, at = world([0, 0, 0]), axis = z)] i: Revolute,
         #[joint(a, b, at = world([0, 1, 0]), axis = z)] j: Revolute,
         #[joint(b, c, at = world([2, 1.2, 0]), axis = z)] k: Revolute,
         #[joint(c, ground, at = world([2, 0, 0]){last},"
    )
}

#[test]
fn constraints_that_repeat_others_are_found() {
    // Grübler's count is -2, and the mechanism moves.
    let planar = four_bars(", axis = z)] l: Revolute");
    let words = "3 of the 20 constraints repeat others";
    fails(&planar, words);
    fails(&planar, "the mechanism has 1 degree of freedom");
    // With a joint that holds three less it is the same mechanism.
    fails(&planar, "make `l` a `PointOnLine` joint");
    let (errors, _, mobility) = checked("", &four_bars(", axis = z)] l: PointOnLine"));
    assert_eq!(errors, [""; 0]);
    let Mobility {
        grubler,
        degrees,
        redundant,
    } = mobility.expect("known");
    assert_eq!((grubler, degrees, redundant), (1, 1, 0));
    let (errors, _, mobility) = checked("redundant = \"allow\"", &planar);
    assert_eq!(errors, [""; 0]);
    let found = mobility.map(|m| (m.grubler, m.degrees, m.redundant));
    assert_eq!(found, Some((-2, 1, 3)));
}

#[test]
fn singular_starts_are_found() {
    let at = |a: &str, b: &str| {
        format!(
            "#[body(mass = 1)] #[start(position = {a})] a: Body<R2>,
             #[body(mass = 1)] #[start(position = {b})] b: Body<R2>,
             #[joint(ground, a, length = 1)] i: Distance,
             #[joint(a, b, length = 2)] j: Distance,
             #[joint(ground at 2 * x, b, length = 1)] k: Distance,"
        )
    };
    fine(&at("[0, 1]", "[2, 1]"));
    // All bars in one line: there each holds what the others do.
    fails(
        &at("[1, 0]", "[3, 0]"),
        "the start is a singular configuration: there joint `k`, length depends on the other",
    );
}

#[test]
fn points_are_moved_and_closed() {
    let model = model(
        "",
        "#[body(mass = 1, inertia = [1, 1, 1])] #[start(position = x)] a: Body<SE3>,
         #[joint(ground, a at -x)] j: Spherical,",
    );
    let mut m = Mechanics::new(&model);
    let start = Start::new(&model);
    let numbers = |list: &[Formula]| list.iter().filter_map(Formula::value).collect();
    let point = Point {
        q: numbers(&start.q),
        v: numbers(&start.v),
        constants: Vec::new(),
    };
    close(&point.constraints(&mut m), &[0.0; 3], 1e-15, "closed");
    // Along a row of B nothing else changes to first order, and Phi changes by its length.
    let rows = point.jacobian(&mut m);
    let step: Vec<f64> = rows[1].iter().map(|x| 1e-6 * x).collect();
    let moved = point.displaced(&mut m, &step);
    let expected: Vec<f64> = rows.iter().map(|row| dot(row, &step)).collect();
    close(&moved.constraints(&mut m), &expected, 1e-11, "B theta");
    let (closed, iterations) = moved.assembled(&mut m).expect("close");
    close(
        &closed.constraints(&mut m),
        &[0.0; 3],
        1e-14,
        "closed again",
    );
    assert!((1..5).contains(&iterations), "{iterations}");
}

/// No correction is longer than 0.5, and there are forty at most. Rounding errors end them, too.
#[test]
fn long_ways_are_closed_in_steps() {
    let closed = |fields: &str| {
        let model = model("", fields);
        let mut m = Mechanics::new(&model);
        let start = Start::new(&model);
        let point = declared(&mut m, &start, f64::NAN).expect("known");
        point.assembled(&mut m).map(|(_, iterations)| iterations)
    };
    let from = |x: f64| {
        let body = format!("#[body(mass = 1)] #[start(position = {x:?} * x)] a: Body<R3>,");
        closed(&format!("{body} #[joint(ground, a)] j: Spherical,"))
    };
    assert_eq!([3.0, 20.0, 20.5].map(from), [Some(6), Some(40), None]);
    let far = closed(
        "#[body(mass = 1, inertia = [1, 1, 1])] #[start(position = [700, 800.01, 900.3])] a: Body<SE3>,
         #[joint(ground, a at [-700.1, -800, -900])] j: Spherical,",
    );
    assert!(far.is_some_and(|iterations| iterations < 10), "{far:?}");
}

#[test]
fn constants_outside_leave_what_holds_for_all_of_them() {
    // Nothing is known of the length: no error, and no count either.
    let rod = |more: &str| {
        format!(
            "#[body(mass = 1)] #[start(position = x)] a: Body<R3>,
             #[joint(ground, a, length = self::L)] i: Distance, {more}"
        )
    };
    let (errors, _, mobility) = checked("", &rod(""));
    assert_eq!((errors.len(), mobility.is_some()), (0, false), "{errors:?}");
    // The same joint twice is redundant whatever the length is.
    fails(
        &rod("#[joint(ground, a, length = self::L)] j: Distance,"),
        "1 of the 2 constraints repeat others: joint `j`, length; the mechanism has 2 degrees",
    );
    // So it is where the start depends on it.
    let moved = rod("#[joint(ground, a, length = self::L)] j: Distance,");
    fails(
        &moved.replace("position = x", "position = self::L * x"),
        "1 of the 2 constraints repeat others",
    );
}

#[test]
fn only_what_was_read_is_checked() {
    let (model, read, _) = lowered(
        "",
        "#[body(mass = unknown)] a: Body<R3>, #[body(mass = -1, free)] b: Body<R3>,",
    );
    let mut dx = Diagnostics::default();
    components(&model, &read, &mut dx);
    let words: Vec<bool> = dx
        .messages()
        .iter()
        .map(|m| m.contains("`b` is -1"))
        .collect();
    assert!(words.contains(&true), "{:?}", dx.messages());
    assert!(!dx.messages().iter().any(|text| text.contains("NaN")));
}
