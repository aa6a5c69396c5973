use super::numbers;
use crate::example::{close, model, one_error};
use crate::formula::Formula;
use crate::model::{Body, Group, PositionAxes};

#[test]
fn bodies_have_their_places_in_configuration_and_velocity() {
    let model = model(
        "",
        "#[body(mass = 1, inertia = [1, 1, 1])] a: Body<SE3>,
         #[body(mass = 2)] b: Body<R2>,
         #[body(mass = 3, inertia = [1, 1, 1], free)] c: Body<S3>,
         #[body(mass = [1, 2, 3, 4])] d: Body<R4>,
         #[body(mass = 5, inertia = [1, 1, 1])] e: Body<S3xR3>,",
    );
    let found: Vec<_> = model
        .bodies
        .iter()
        .map(|body| (body.group, body.config, body.velocity))
        .collect();
    let expected = [
        (Group::Se3, 0, 0),
        (Group::Rn(2), 12, 6),
        (Group::S3, 14, 8),
        (Group::Rn(4), 18, 11),
        (Group::S3xR3, 22, 15),
    ];
    assert_eq!(found, expected);
    assert_eq!((model.config_len(), model.dof()), (29, 21));
    let free: Vec<bool> = model.bodies.iter().map(|body| body.free).collect();
    assert_eq!(free, [false, false, true, false, false]);
    let modes: Vec<_> = model.bodies.iter().map(Body::modes).collect();
    assert_eq!(modes, [None, None, None, Some(4), None]);
    assert_eq!(model.bodies[1].mass, Formula::Number(2.0));
}

#[test]
fn numbers_of_a_body_are_read() {
    let model = model(
        "consts(J = 0.5)",
        "#[body(mass = 2 + 1, inertia = [[3, J, 0], [J, 2, 0], [0, 0, 4]], center = -z)]
         #[start(position = [1, 2, 3], rotation = rz(PI / 2), velocity = x,
                 angular_velocity = world([1, 2, 3]))]
         a: Body<SE3>,
         #[body(mass = 1, inertia_unchecked = [1, 2, 9])]
         #[start(rotation = [0, 0.6, 0, 0.8], angular_velocity = [4, 5, 6])]
         b: Body<S3xR3>,",
    );
    let [a, b] = &model.bodies[..] else { panic!() };
    assert_eq!(a.mass.value(), Some(3.0));
    let inertia = [[3.0, 0.5, 0.0], [0.5, 2.0, 0.0], [0.0, 0.0, 4.0]];
    for (row, expected) in a.inertia.iter().zip(inertia) {
        assert_eq!(numbers(row), expected);
    }
    assert_eq!(numbers(&a.center), [0.0, 0.0, -1.0]);
    assert_eq!(numbers(&a.start.position), [1.0, 2.0, 3.0]);
    assert_eq!(
        a.start.velocity.as_deref().map(numbers),
        Some(vec![1.0, 0.0, 0.0])
    );
    let half = 0.5_f64.sqrt();
    close(
        &a.start.rotation,
        &[half, 0.0, 0.0, half],
        1e-15,
        "rotation",
    );
    // The body has its x axis along y of space.
    let omega = a.start.angular_velocity.as_ref().expect("given");
    close(&numbers(omega), &[2.0, -1.0, 3.0], 1e-15, "world");
    assert!(!a.inertia_unchecked && b.inertia_unchecked);
    assert_eq!(b.start.rotation, [0.0, 0.6, 0.0, 0.8]);
    let omega = b.start.angular_velocity.as_ref().expect("given");
    assert_eq!(numbers(omega), [4.0, 5.0, 6.0]);
    assert!(b.start.velocity.is_none());
}

#[test]
fn modal_masses_are_diagonals_or_matrices() {
    let mass = |value: &str| {
        let model = model("", &format!("#[body(mass = {value})] a: Body<R2>,"));
        let body = &model.bodies[0];
        let matrix = body.mass_matrix.as_ref();
        (body.modes(), matrix.map(|rows| numbers(&rows.concat())))
    };
    assert_eq!(mass("3"), (None, None));
    assert_eq!(mass("[3, 4]"), (Some(2), Some(vec![3.0, 0.0, 0.0, 4.0])));
    assert_eq!(
        mass("[[3, 1], [1, 4]]"),
        (Some(2), Some(vec![3.0, 1.0, 1.0, 4.0]))
    );
}

#[test]
fn settings_of_the_model_are_read() {
    let body = "#[body(mass = m)] a: Body<R3>, #[param(default = 1)] m: f64,";
    let plain = model("", body);
    assert_eq!(numbers(&plain.gravity), [0.0; 3]);
    assert_eq!(plain.positions, PositionAxes::Second);
    assert!(!plain.redundant && !plain.assemble);
    let all = model(
        "gravity = -G * z, consts(G = 9.81), positions = \"inertial\", redundant = \"allow\", assemble",
        body,
    );
    assert_eq!(numbers(&all.gravity), [0.0, 0.0, -9.81]);
    assert_eq!(all.positions, PositionAxes::Inertial);
    assert!(all.redundant && all.assemble);
}

#[test]
fn parameters_have_defaults_and_ranges() {
    let words = |attribute: &str| {
        let model = model(
            "",
            &format!("#[body(mass = m)] a: Body<R3>, #[param({attribute})] m: f64,"),
        );
        let parameter = &model.parameters[0];
        (parameter.default, parameter.range.words())
    };
    assert_eq!(words("default = 2"), (2.0, "any finite number".to_owned()));
    assert_eq!(words("default = 2, positive"), (2.0, "above 0".to_owned()));
    assert_eq!(
        words("nonnegative, default = 0"),
        (0.0, "at least 0".to_owned())
    );
    let range = "at least -1 and at most 5".to_owned();
    assert_eq!(words("default = 5, range = -1..=5"), (5.0, range));
    assert_eq!(
        words("default = 5, range = ..=5"),
        (5.0, "at most 5".to_owned())
    );
}

#[test]
fn parameters_that_cannot_be_read_are_errors() {
    let fails = |attribute: &str, words: &str| {
        let fields = format!("#[body(mass = m)] a: Body<R3>, #[param({attribute})] m: f64,");
        let (_, _, errors) = crate::example::lowered("", &fields);
        one_error(&errors, words);
    };
    fails("positive", "parameter `m` has no default");
    fails(
        "default = 0, positive",
        "the default 0 of `m` is not allowed: it must be above 0",
    );
    fails(
        "default = 6, range = 0..=5",
        "must be at least 0 and at most 5",
    );
    fails("default = 1, positive, nonnegative", "are given twice");
    fails("default = 1, positive, range = 0..=1", "are given twice");
    fails(
        "default = 1, range = 0..1",
        "a range has a smallest and a largest value",
    );
    fails("default = t", "the value is needed when the macro runs");
    fails("default = ", "expected an expression");
    fails("defualt = 1", "did you mean `default`?");
}
