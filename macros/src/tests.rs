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
fn slider_crank() {
    let (arguments, item) = SLIDER_CRANK;
    for group in ["SE3", "SO3xR3"] {
        let start = std::time::Instant::now();
        let text = expand(arguments, &item.replace("SE3", group));
        println!("{:?} {}", start.elapsed(), text.lines().count());
        println!("{:?}", operations(&text));
        for line in text
            .lines()
            .filter(|line| line.contains("Degrees") || line.contains("help"))
        {
            println!("{line}");
        }
    }
    let other = item.replace("rod.y, slider.x", "x, slider.y");
    println!(
        "{}",
        expand(arguments, &other)
            .lines()
            .filter(|line| line.contains("help"))
            .collect::<String>()
    );
    let other = item.replace("(B + C) / 2", "(B + C) / 2.1");
    println!(
        "{}",
        expand(arguments, &other)
            .lines()
            .filter(|line| line.contains("help"))
            .collect::<String>()
    );
    let four = "struct FourBar {
        #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])] #[start(position = [0.0, 0.0, 0.5])] a: Body<SE3>,
        #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])] #[start(position = [0.5, 0.0, 1.25])] b: Body<SE3>,
        #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])] #[start(position = [1.0, 0.0, 0.75])] c: Body<SE3>,
        #[joint(ground, a, at = world([0.0, 0.0, 0.0]), axis = y)] p: Revolute,
        #[joint(a, b, at = world([0.0, 0.0, 1.0]), axis = y)] q: Revolute,
        #[joint(b, c, at = world([1.0, 0.0, 1.5]), axis = y)] r: Revolute,
        #[joint(c, ground, at = world([1.0, 0.0, 0.0]), axis = y)] s: Revolute,
    }";
    println!(
        "{}",
        expand(GRAVITY, four)
            .lines()
            .filter(|line| line.contains("help"))
            .collect::<String>()
    );
}

#[test]
fn puma_size() {
    let arguments = std::fs::read_to_string("/tmp/puma_args.txt").unwrap();
    let item = std::fs::read_to_string("/tmp/puma_item.txt").unwrap();
    for group in ["SO3xR3", "SE3"] {
        let start = std::time::Instant::now();
        let text = expand(&arguments, &item.replace("GROUP", group));
        println!("{:?} {}", start.elapsed(), text.lines().count());
        println!("{:?}", operations(&text));
        for line in text
            .lines()
            .filter(|line| line.contains("Degrees") || line.contains("help"))
        {
            println!("{line}");
        }
    }
}
