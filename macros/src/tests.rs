//! Whole expansions: the same from run to run, of known size, and with every error at once.

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
    // stiffness, residual, then matrix and solution of Newton's method: index 3 (sigma = 0, any),
    // index 2 (the same), stabilized (the same)
    assert_eq!(
        found("SO3xR3"),
        [
            15, 79, 94, 36, 4, 1, 178, 87, 66, 100, 94, 100, 94, 234, 127, 232, 127, 406, 179, 399,
            179
        ]
    );
    assert_eq!(
        found("SE3"),
        [
            15, 125, 46, 103, 25, 1, 35, 51, 74, 312, 115, 311, 115, 461, 146, 450, 146, 714, 202,
            690, 202
        ]
    );
    assert_eq!(
        found("S3sR3"),
        [
            48, 128, 59, 103, 32, 1, 42, 64, 114, 325, 115, 324, 115, 474, 146, 463, 146, 727, 202,
            703, 202
        ]
    );
}

fn assert_errors(arguments: &str, item: &str, count: usize, expected: &[&str]) {
    let expansion = expand(arguments, item);
    let found = expansion.matches("compile_error!").count();
    assert_eq!(found, count, "{expansion}");
    for text in expected {
        assert!(expansion.contains(text), "no `{text}` in\n{expansion}");
    }
}

#[test]
fn errors_say_what_to_type_and_none_hides_the_next() {
    assert_errors(
        "gravty = [0.0, 0.0, -9.81]",
        "struct Wrong {
            #[body(mas = 15.0, inertia = [1.0, 2.0])]
            top: Body<SE4>,
            #[body(inertia = [1.0, 2.0])]
            other: Body<SE3>,
            #[joint(grund, other at [0.0, -1.0])]
            pivot: Sphericl,
            #[joint(othr, other)]
            ball: Spherical,
            #[joint(other, other)]
            loop_: Spherical,
            #[joint(ground, other)]
            hinge: Revolute,
        }",
        8,
        &[
            "unknown setting `gravty`",
            "did you mean `gravity`?",
            "unknown group `SE4`",
            "did you mean `SE3`?",
            "the inertia must have three components",
            "body `other` has no mass",
            "unknown kind of component `Sphericl`",
            "unknown body `othr`",
            "connects `other` with itself",
            "has no axis",
        ],
    );
}
