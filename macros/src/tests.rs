//! Whole expansions: the same from run to run, and of known size.

use crate::expand::multibody;

fn expand(arguments: &str, item: &str) -> String {
    let tokens = multibody(
        arguments.parse().expect("tokens"),
        item.parse().expect("tokens"),
    );
    let file = syn::parse2(tokens).expect("the expansion is Rust");
    prettyplease::unparse(&file)
}

const GRAVITY: &str = "gravity = [0.0, 0.0, -9.81]";

fn heavy_top(group: &str) -> String {
    let item = "struct Top {
        #[body(mass = 15.0, inertia = [0.234375, 0.46875, 0.234375])]
        #[start(position = [0.0, 1.0, 0.0], angular_velocity = [0.0, 150.0, -4.61538])]
        top: Body<GROUP>,
        #[joint(ground at [0.0, 0.0, 0.0], top at [0.0, -1.0, 0.0])]
        pivot: Spherical,
    }";
    expand(GRAVITY, &item.replace("GROUP", group))
}

/// Operations of the first kernels, from the documentation of the generated type.
fn operations(expansion: &str) -> Vec<(String, usize)> {
    expansion
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .filter_map(|line| line.split_once(" | "))
        .filter_map(|(kernel, count)| Some((kernel.to_owned(), count.parse().ok()?)))
        .collect()
}

#[test]
fn expansions_are_the_same_from_run_to_run() {
    for group in ["SO3xR3", "SE3", "S3xR3", "S3sR3"] {
        assert_eq!(heavy_top(group), heavy_top(group));
    }
}

/// A change here is a change of speed: look at it, then write the new numbers.
#[test]
fn operation_counts() {
    let found = |group: &str| {
        let counts = operations(&heavy_top(group));
        counts
            .into_iter()
            .map(|(_, count)| count)
            .collect::<Vec<_>>()
    };
    // geometry, displacement, geometry of a stage, tangent operator, force, constraint, stage,
    // stiffness, residual, whole iteration (index 3, sigma = 0) if it is short, then matrix and
    // solution of Newton's method: index 3 (sigma = 0, any), index 2 (the same), stabilized (the
    // same)
    assert_eq!(
        found("SO3xR3"),
        [
            27, 78, 105, 36, 4, 16, 158, 75, 66, 318, 99, 94, 99, 94, 336, 137, 336, 137, 468, 179,
            461, 179
        ]
    );
    assert_eq!(
        found("SE3"),
        [
            15, 124, 45, 103, 25, 1, 40, 33, 74, 622, 310, 115, 309, 115, 459, 146, 448, 146, 712,
            202, 688, 202
        ]
    );
    assert_eq!(
        found("S3sR3"),
        [
            48, 128, 59, 103, 32, 1, 49, 46, 114, 674, 323, 115, 322, 115, 472, 146, 461, 146, 725,
            202, 701, 202
        ]
    );
}

const SLIDER_CRANK: (&str, &str) = (
    "gravity = [0.0, 0.0, -9.81],
     consts(A = [0.0, 0.1, 0.12], B = A + [0.0, 0.0, 0.08], C = [0.2, 0.0, 0.0])",
    "struct SliderCrank {
        #[body(mass = 0.12, inertia = [1e-4, 1e-4, 1e-5])]
        #[start(position = A, angular_velocity = [6.0, 0.0, 0.0])]
        crank: Body<SE3>,
        #[body(mass = 0.5, inertia = [4e-4, 4e-3, 4e-3])]
        #[start(position = (B + C) / 2, rotation = rx(-atan2(1, 2)) * ry(asin(sqrt(5) / 3)),
                velocity = [0.12, -0.24, 0.0], angular_velocity = world([1.92, -0.96, 0.48]))]
        rod: Body<SE3>,
        #[body(mass = 2.0, inertia = [1e-4; 3])]
        #[start(position = C, velocity = [0.24, 0.0, 0.0])]
        slider: Body<SE3>,
        #[joint(ground, crank, at = world(A), axis = x)]
        a: Revolute,
        #[joint(crank, rod, at = world(B))]
        b: Spherical,
        #[joint(rod, slider, at = world(C), cross = (rod.y, slider.x))]
        c: Universal,
        #[joint(ground, slider, at = world(C), axis = x)]
        d: Prismatic,
    }",
);

#[test]
fn a_closed_loop_has_one_degree_of_freedom() {
    let (arguments, item) = SLIDER_CRANK;
    let text = expand(arguments, item);
    assert!(text.contains("18 velocities, 17 constraints. Degrees of freedom: 1."));
    // Of a larger model one Newton matrix of each formulation is written out.
    let counts = operations(&text);
    let unrolled = counts
        .iter()
        .filter(|(name, _)| name.starts_with("Newton matrix"));
    assert_eq!(unrolled.count(), 3, "{counts:?}");
}

/// No function is longer than compilers bear.
#[test]
fn functions_are_short() {
    let (arguments, item) = SLIDER_CRANK;
    let text = expand(arguments, item);
    let mut statements = 0;
    for line in text.lines().map(str::trim) {
        if line.starts_with("fn ") || line.contains(" fn ") {
            statements = 0;
        }
        statements += usize::from(line.starts_with("let "));
        assert!(statements <= 1000, "{line}");
    }
}

/// Small models as they are generated: a change of the generated code is seen in a diff. To
/// accept it, run the test with `POLHODE_BLESS=1`.
#[test]
fn snapshots() {
    for (name, arguments, item) in [
        (
            "pendulum",
            "gravity = [0.0, -9.81, 0.0]",
            "struct Pendulum {
                #[body(mass = 1.0)]
                #[start(position = [0.0, -1.0], velocity = [1.0, 0.0])]
                bob: Body<R2>,
                #[joint(ground, bob, length = 1.0)]
                rod: Distance,
            }",
        ),
        (
            "oscillator",
            "",
            "struct Oscillator {
                #[param(default = 4.0, positive)]
                stiffness: f64,
                #[body(mass = 2.0)]
                #[start(position = [1.5, 0.0, 0.0])]
                mass: Body<R3>,
                #[force(ground, mass, stiffness = stiffness, damping = 0.1, length = 1.0)]
                spring: SpringDamper,
                #[force(mass, force = [0.0, 0.0, sin(3 * t)])]
                shaker: Load,
            }",
        ),
        (
            "free_top",
            GRAVITY,
            "struct FreeTop {
                #[body(mass = 15.0, inertia = [0.234375, 0.46875, 0.234375], center = [0.0, 1.0, 0.0])]
                #[start(angular_velocity = [0.0, 150.0, -4.61538])]
                top: Body<SO3>,
            }",
        ),
    ] {
        let text = expand(arguments, item);
        let path = format!("{}/snapshots/{name}.rs", env!("CARGO_MANIFEST_DIR"));
        if std::env::var("POLHODE_BLESS").is_ok() {
            std::fs::write(&path, &text).unwrap();
        }
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        let different = text.lines().zip(known.lines()).find(|(new, old)| new != old);
        assert!(
            text == known,
            "{name} changed, first at {different:?}; run with POLHODE_BLESS=1 to accept it"
        );
    }
}

/// An arm of six links with hinges about alternating axes, and a motor at each.
fn arm(group: &str) -> String {
    use std::fmt::Write;
    let mut item = "struct Arm {".to_owned();
    let links = ["ground", "a", "b", "c", "d", "e", "f"];
    for (i, pair) in links.windows(2).enumerate() {
        let (before, link, axis) = (pair[0], pair[1], ["x", "y", "z"][i % 3]);
        let _ = write!(
            item,
            "#[body(mass = 1.5, inertia = [0.3, 0.2, 0.4])]
             #[start(position = [0.1, 0.0, {i} + 0.5])]
             {link}: Body<{group}>,
             #[joint({before}, {link}, at = world([0.0, 0.0, {i}]), axis = {axis})]
             hinge_{link}: Revolute,
             #[force(hinge_{link}, p = 40.0, d = 4.0, target = sin(t))]
             motor_{link}: PdControl,"
        );
    }
    expand(GRAVITY, &(item + "}"))
}

/// Code that is too long is slow to compile. What the limits count is statements, as lines depend
/// on the formatting; a change that passes one is worth a look. (A value that is both stored and
/// read takes two: to read it from its place by an index takes a compiler longer.)
#[test]
fn the_code_of_an_arm_is_bounded() {
    for group in ["SO3xR3", "SE3"] {
        let text = arm(group);
        let statements = text.matches(';').count();
        assert!(statements < 7700, "{group}: {statements} statements");
        let counts = operations(&text);
        let of = |kernel: &str| counts.iter().find(|(name, _)| name == kernel).unwrap().1;
        assert!(of("half-explicit stage") < 4500, "{counts:?}");
        assert!(of("entries of Newton matrices") < 4000, "{counts:?}");
        assert!(of("entries of velocity constraints") < 4500, "{counts:?}");
        assert!(of("Newton matrix, Index3") < 4000, "{counts:?}");
    }
}
