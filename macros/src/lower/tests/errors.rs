use crate::example::{lowered, one_error};

const TOP: &str = "#[body(mass = 1, inertia = [1, 1, 1], free)] top: Body<SE3>,";

/// The body `top` and one field more give one error.
fn fails(field: &str, words: &str) {
    let (_, _, errors) = lowered("", &format!("{TOP} {field}"));
    one_error(&errors, words);
}

#[test]
fn what_a_field_is_must_be_known() {
    fails(
        "j: Sphrical,",
        "unknown kind of component `Sphrical`\n  help: did you mean `Spherical`?",
    );
    fails("j: Something,", "known are Body, Spherical");
    fails(
        "j: (f64, f64),",
        "the type of `j` says nothing to the model",
    );
    fails("#[body(mass = 1, free)] a: Body,", "a body needs its group");
    fails(
        "#[body(mass = 1, free)] a: Body<SE4>,",
        "unknown group `SE4`\n  help: did you mean `SE3`?",
    );
    fails(
        "#[body(mass = 1)] a: Body<R65>,",
        "a body on `Rn` has 1 to 64 coordinates",
    );
    fails(
        "#[body(mass = 1, free)] top: Body<R3>,",
        "the name `top` is used twice",
    );
    fails(
        "#[body(mass = 1, free)] ground: Body<R3>,",
        "`ground` has a meaning of its own",
    );
    fails(
        "#[body(mass = 1, free)] clone: Body<R3>,",
        "`clone` has a meaning of its own",
    );
    let (_, _, errors) = lowered("", "");
    one_error(&errors, "model `Example` has no bodies");
}

#[test]
fn what_a_component_needs_must_be_there() {
    fails("a: Body<SE3>,", "body `a` has no mass");
    fails(
        "#[body(mass = 1)] a: Body<SE3>,",
        "body `a` rotates and has no inertia",
    );
    fails("j: Spherical,", "joint `j` connects nothing");
    fails(
        "#[joint(top)] j: Spherical,",
        "`j` needs two bodies and has 1",
    );
    fails(
        "#[joint(top, top)] j: Spherical,",
        "`j` connects `top` with itself",
    );
    fails(
        "#[joint(ground, tip)] j: Spherical,",
        "unknown body `tip`\n  help: did you mean `top`?",
    );
    fails("#[joint(ground, top)] j: Revolute,", "`j` has no axis");
    fails(
        "#[joint(ground, top)] j: Universal,",
        "universal joint `j` has no cross",
    );
    fails("#[joint(ground, top)] j: Distance,", "`j` has no length");
    fails(
        "#[joint(ground, top)] j: Driver,",
        "driver `j` must prescribe one motion",
    );
    fails("f: Load,", "`f` acts on nothing");
    fails("#[force(top)] f: Load,", "load `f` is zero");
    fails(
        "#[force(ground, force = x)] f: Load,",
        "a load on the ground moves nothing",
    );
    fails(
        "#[force(ground, top, length = 1)] f: SpringDamper,",
        "`f` has no `stiffness`",
    );
    fails(
        "#[force(pivot, effort = 1)] f: Actuator,",
        "unknown joint `pivot`",
    );
    fails("p: f64,", "parameter `p` has no default");
    fails(
        "#[param(default = 1)] p: f64,",
        "nothing reads the parameter `p`",
    );
}

#[test]
fn what_does_not_belong_to_a_component_is_an_error() {
    fails(
        "#[body(mass = 1, inertia = [1, 1, 1], free)] a: Body<R3>,",
        "a body on R3 has no `inertia`",
    );
    fails(
        "#[body(mass = 1, free)] #[start(rotation = rx(1))] a: Body<R3>,",
        "a body on R3 does not rotate",
    );
    fails(
        "#[body(mass = 1, inertia = [1, 1, 1])] #[start(velocity = x)] a: Body<SO3>,",
        "the origin of a body on a rotation group does not move",
    );
    fails(
        "#[body(mass = 1, mass = 2, free)] a: Body<R3>,",
        "`mass` is set twice",
    );
    fails("#[body(mas = 1)] a: Body<R3>,", "did you mean `mass`?");
    fails(
        "#[body(mass = 1, fre)] a: Body<R3>,",
        "did you mean `free`?",
    );
    fails(
        "#[joint(ground, top, axis = x)] j: Spherical,",
        "unknown setting `axis`",
    );
    fails(
        "#[joint(ground[1], top)] j: Spherical,",
        "`ground` is not an array",
    );
    fails(
        "#[joint(ground at x, top at y, at = world(z))] j: Spherical,",
        "the place of `j` is given twice",
    );
    fails(
        "#[joint(ground, top, at = x)] j: Spherical,",
        "write `at = world([x, y, z])`",
    );
    fails(
        "#[joint(ground, top, axis = 0 * x)] j: Revolute,",
        "this axis has no direction",
    );
    fails(
        "#[joint(ground, top, cross = (ground.x, ground.y))] j: Universal,",
        "on that side",
    );
    fails(
        "#[force(top, force = x, frame = space)] f: Load,",
        "the frame of a load is `world` or `body`",
    );
}

#[test]
fn numbers_depend_on_no_more_than_they_may() {
    fails(
        "#[body(mass = t, free)] a: Body<R3>,",
        "this number cannot depend on time or motion",
    );
    fails(
        "#[body(mass = 1 / 0, free)] a: Body<R3>,",
        "this has no finite value: it is inf",
    );
    fails(
        "#[body(mass = x, inertia = [1, 1, 1], free)] a: Body<SE3>,",
        "`mass` must be a number",
    );
    fails(
        "#[body(mass = 1, free)] #[start(position = [1, 2])] a: Body<R3>,",
        "`position` needs 3 components and has 2",
    );
    fails(
        "#[joint(ground, top, axis = t * x)] j: Revolute,",
        "the value is needed when the macro runs",
    );
    fails(
        "#[joint(ground, top, distance = top.position.x)] j: Driver,",
        "this can depend on time, but not on the motion",
    );
    fails(
        "#[force(ground, top, stiffness = t, length = 1)] f: SpringDamper,",
        "cannot depend on time",
    );
}

#[test]
fn groups_must_carry_what_acts_on_them() {
    let point = "#[body(mass = 1, free)] b: Body<R2>,";
    let fails = |field: &str, words: &str| fails(&format!("{point} {field}"), words);
    fails(
        "#[joint(ground, b, axis = x)] j: Revolute,",
        "nothing here rotates: `b` on R2",
    );
    fails(
        "#[joint(ground, b at z)] j: Spherical,",
        "has no point outside of its first 2 coordinates",
    );
    fails(
        "#[force(b, torque = z)] f: Load,",
        "a body on R2 cannot carry a torque",
    );
    fails(
        "#[force(ground, b, stiffness = [1; 6])] f: Bushing,",
        "cannot carry a bushing",
    );
    fails(
        "#[force(b, stiffness = [1, 1])] f: ModalSpring,",
        "`b` is a body in space, on R2",
    );
    let slide = "#[joint(ground, top, axis = x)] j: Prismatic,";
    fails(
        &format!("{slide} #[force(j, stiffness = 1)] f: TorsionSpring,"),
        "`TorsionSpring` cannot act on joint `j`, which is Prismatic",
    );
    fails(
        &format!("{slide} #[force(top, force = j.angle * x)] f: Load,"),
        "joint `j` is Prismatic and has no angle",
    );
}

#[test]
fn reading_goes_on_after_an_error() {
    let (model, read, errors) = lowered(
        "gravty = [0, 0, 1]",
        "#[body(mas = 1)] a: Body<SE3>,
         #[body(mass = 1, inertia = [1, 1, 1])] b: Body<SE3>,
         #[joint(ground on a, b)] i: Spherical,
         #[joint(ground, c)] j: Spherical,
         #[force(b, froce = x)] f: Load,
         #[body(mass = 2, inertia = [1, 1, 1])] d: Body<SE3>,",
    );
    let words = [
        "gravity",
        "mass",
        "expected `at`",
        "unknown body `c`",
        "`force`",
    ];
    assert_eq!(errors.len(), words.len(), "{errors:#?}");
    for (error, word) in errors.iter().zip(words) {
        assert!(error.contains(word), "{error} has no {word}");
    }
    // The other components are there, and checks know which of them to look at.
    assert_eq!((model.bodies.len(), model.joints.len()), (3, 2));
    assert_eq!(read.bodies, [false, true, true]);
    assert!(!read.motion);
    assert_eq!(model.joints[0].kind.name(), "Spherical");
}

#[test]
fn motion_is_read_if_what_it_depends_on_is() {
    let motion = |fields: &str| lowered("", &format!("{TOP} {fields}")).1.motion;
    assert!(motion(""));
    assert!(motion("#[force(top, force = nothing)] f: Load,"));
    assert!(motion("#[body(mass = 1 / 0, free)] a: Body<R3>,"));
    assert!(!motion("#[joint(ground, nothing)] j: Spherical,"));
    assert!(!motion(
        "#[body(mass = 1, free)] #[start(position = nothing)] a: Body<R3>,"
    ));
    assert!(!motion("a: Bdy<R3>,"));
}

#[test]
fn bodies_that_a_component_with_errors_may_hold_count_as_free() {
    let free = |joint: &str| {
        let fields =
            format!("#[body(mass = 1)] a: Body<R3>, #[body(mass = 1)] b: Body<R3>, {joint}");
        let (model, ..) = lowered("", &fields);
        [model.bodies[0].free, model.bodies[1].free]
    };
    assert_eq!(free(""), [false, false]);
    assert_eq!(
        free("#[joint(ground, a, lngth = 1)] j: Distance,"),
        [true, false]
    );
    assert_eq!(
        free("#[joint(ground, c, length = 1)] j: Distance,"),
        [true, true]
    );
    assert_eq!(free("#[joint(a, length = 1)] j: Distance,"), [true, true]);
    assert_eq!(free("#[joint(ground on a)] j: Distance,"), [true, true]);
    assert_eq!(free("j: Distanz,"), [true, true]);
}

#[test]
fn parameters_that_errors_may_read_are_not_unused() {
    let parameter = "#[param(default = 1)] p: f64,";
    fails(
        &format!("{parameter} #[force(top, froce = p * x)] f: Load,"),
        "`force`",
    );
    fails(
        &format!("{parameter} #[force(top, force = q * x)] f: Load,"),
        "unknown name `q`",
    );
    let (_, _, errors) = lowered(
        "",
        &format!("{TOP} {parameter} #[force(top, froce = x)] f: Load,"),
    );
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[1].contains("nothing reads the parameter `p`"));
}

#[test]
fn settings_of_the_model_are_checked() {
    let fails = |arguments: &str, words: &str| one_error(&lowered(arguments, TOP).2, words);
    fails("gravity = 9.81", "`gravity` needs 3 components");
    fails("gravity = t * x", "cannot depend on time");
    fails("gravity", "`gravity` has no value");
    fails("positions = \"outer\"", "write `positions = \"inertial\"`");
    fails("redundant = \"reject\"", "write `redundant = \"allow\"`");
    fails("assemble = true", "`assemble` is a word without a value");
    fails("assembl", "did you mean `assemble`?");
    fails("consts(A = 1, A = 2)", "the constant `A` is declared twice");
    fails("consts(top = 1)", "the name `top` is used twice");
    fails("consts(t = 1)", "the name `t` has a meaning of its own");
}
