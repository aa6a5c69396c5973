use proc_macro2::TokenStream;

use super::construct::parameters;
use super::description::{description, late};
use super::{arguments, system};
use crate::example::{asked_for, items, model};
use crate::mechanics::Mechanics;
use crate::model::Model;
use crate::plan::Plan;
use crate::start::Start;

/// The definition and the capabilities of a model.
fn emitted(model: &Model) -> [TokenStream; 2] {
    let mut mechanics = Mechanics::new(model);
    let plan = Plan::new(&mut mechanics);
    let start = Start::new(model);
    let visibility = syn::parse_quote!(pub);
    let (definition, text) = system(&mut mechanics, &plan, &start, &[], &visibility);
    [definition, crate::scope::parsed(&text)]
}

/// Whether code is a part of other code; spaces do not count.
fn has(code: &TokenStream, part: &str) -> bool {
    let plain = |text: &str| text.replace(char::is_whitespace, "");
    plain(&code.to_string()).contains(&plain(part))
}

const POINT: &str = "#[body(mass = 2)] #[start(position = [3, 0, 4])] a: Body<R3>,
    #[joint(ground, a, length = 5)] rod: Distance,";

/// Two bodies with a joint that holds five directions: a large model.
const HINGES: &str = "#[body(mass = 1, inertia = [1, 1, 1])] a: Body<SE3>,
    #[body(mass = 1, inertia = [1, 1, 1])] b: Body<S3xR3>,
    #[joint(ground, a, axis = z)] i: Revolute, #[joint(a, b, axis = x)] j: Revolute,
    #[force(i, stiffness = 1)] spring: TorsionSpring,";

#[test]
fn the_border_is_answered_by_every_model() {
    let cases = [
        ("small", "", POINT),
        ("large", "", HINGES),
        ("redundant", "redundant = \"allow\"", POINT),
        (
            "with modes",
            "",
            "#[body(mass = [1, 2], free)] m: Body<R2>,",
        ),
    ];
    for (what, arguments, fields) in cases {
        let model = model(arguments, fields);
        let [_, text] = emitted(&model);
        let found = items(text);
        for asked in asked_for() {
            let from_groups = asked.ends_with("::bracket/4") || asked.ends_with("::difference/4");
            assert!(found.contains(&asked) || from_groups, "{what}: {asked}");
        }
    }
}

#[test]
fn sizes_are_those_of_the_model() {
    let model = model("", HINGES);
    let [definition, text] = emitted(&model);
    assert!(has(&definition, "struct Example;"), "{definition}");
    for part in [
        // 12 and 7 components, and the angle that the spring reads.
        "type Config = [f64; 20];",
        "type Velocity = [f64; 12];",
        "type Multiplier = [f64; 10];",
        "pub const DOF: usize = 12;",
        "pub const CONSTRAINTS: usize = 10;",
        "with_angles([rt::GroupKind::SE3, rt::GroupKind::S3xR3], 1)",
    ] {
        assert!(has(&text, part), "no {part}");
    }
}

/// What is known late is in the type, and constants that follow from it are computed once.
#[test]
fn late_values_are_held_by_the_type() {
    let fields = "#[param(default = 2, positive)] p: f64,
        #[body(mass = p)] #[start(position = [p, 0, self::X])] a: Body<R3>,
        #[force(a, force = [p * p, 0, 0])] push: Load,";
    let [definition, text] = emitted(&model("", fields));
    for part in [
        "late: [f64; 2usize]",
        "constants: [f64; 3usize]",
        "start: ([f64; 3usize], [f64; 3usize])",
    ] {
        assert!(has(&definition, part), "{definition} has no {part}");
    }
    for part in [
        "let [o0] = outside(); let p = [parameters.p, o0];",
        "let start = ([p[0], 0.0_f64, p[1]],",
        "let constants = { let p = &p; [p[0], 1.0_f64 / p[0], p[0] * p[0]] };",
        "rt::check_parameter(\"p\", parameters.p, 0.0_f64, f64::INFINITY, true)?;",
    ] {
        assert!(has(&text, part), "{text} has no {part}");
    }
    // A constant outside may have any value, and a default cannot fail.
    let default = "impl ::core::default::Default for Example";
    assert!(!has(&text, default));
    let known = model("", &fields.replace("self::X", "1"));
    assert!(has(&emitted(&known)[1], default));
}

#[test]
fn arguments_are_read_from_signatures() {
    let check = |signature: &str, expected: &[(&str, &str)]| {
        assert_eq!(arguments(signature), expected, "{signature}");
    };
    check("f()", &[]);
    check(
        "f(&self, t: f64, q: &[f64; 3], out: &mut [f64; 4])",
        &[("t", "f64"), ("q", "&[f64; 3]")],
    );
    check(
        "f(&self, right: &mut [f64; 2], g: &[f64; 1]) -> Result<(), rt::Fault>",
        &[("g", "&[f64; 1]")],
    );
}

/// Formulas over the array `p`: parameters, then constants outside.
#[test]
fn late_numbers_are_rust() {
    let check = |formula: &str, expected: &str| {
        let model = model(
            "",
            &format!(
                "#[param(default = 1)] p: f64, #[param(default = 1)] r: f64,
                 #[body(mass = r, free)] b: Body<R1>, #[body(mass = p, free)] c: Body<R1>,
                 #[body(mass = {formula}, free)] a: Body<R3>,"
            ),
        );
        assert_eq!(late(&model, &model.bodies[2].mass), expected);
    };
    check("3", "3.0_f64");
    check("r", "p[1]");
    check("2 * p - self::M", "((2.0_f64 * p[0]) - p[2])");
    check("-p / (1 + r)", "((-p[0]) / (1.0_f64 + p[1]))");
    check("atan2(p, -1)", "f64::atan2(p[0], (-1.0_f64))");
    check("sqrt(p)", "f64::sqrt(p[0])");
    check(
        "if p < 1 { p } else { r }",
        "(if p[0] < 1.0_f64 { p[0] } else { p[1] })",
    );
}

/// The value of a field, wherever it is written first.
fn field(text: &str, name: &str) -> String {
    let at = text
        .find(&format!("{name}: "))
        .unwrap_or_else(|| panic!("no {name} in {text}"));
    let rest = &text[at + name.len() + 2..];
    let mut depth = 0;
    let end = rest.find(|c| {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            _ => {}
        }
        depth < 0 || (depth == 0 && c == ',')
    });
    rest[..end.expect("an end")].trim().to_owned()
}

#[test]
fn descriptions_have_the_numbers_of_the_model() {
    let model = model(
        "gravity = [0, 0, -9.81], positions = \"inertial\", redundant = \"allow\"",
        &format!(
            "{POINT} #[force(a at x, force = [t, -a.velocity.y, 0], frame = body)] push: Load,
             #[body(mass = [1, 2], free)] m: Body<R2>,"
        ),
    );
    let text = description(&model);
    syn::parse_str::<syn::Expr>(&text).expect("Rust");
    let check = |name: &str, expected: &str| assert_eq!(field(&text, name), expected, "{text}");
    check("gravity", "[0.0_f64, 0.0_f64, (-9.81_f64)]");
    check("positions", "PositionAxes::Inertial");
    check("redundant", "Redundancy::Allow");
    check("mass", "2.0_f64");
    check("position", "rt::vec![3.0_f64, 0.0_f64, 4.0_f64]");
    check("length", "5.0_f64");
    check("frame", "LoadFrame::Body");
    check(
        "matrix",
        "rt::vec![rt::vec![1.0_f64, 0.0_f64], rt::vec![0.0_f64, 2.0_f64]]",
    );
    assert!(
        text.contains("force: [Formula::Time, Formula::Neg(rt::Box::new(Formula::Body {"),
        "{text}"
    );
    assert!(text.contains("body: rt::text(\"ground\"), point: [0.0_f64, 0.0_f64, 0.0_f64]"));
}

#[test]
fn parameters_are_documented_with_their_range() {
    let model = model(
        "",
        "#[body(mass = p, free)] a: Body<R3>,
         /// How heavy it is.
         #[param(default = 2, range = 1..=3)] p: f64,",
    );
    let text = parameters(&model, &syn::parse_quote!(pub(crate)));
    for part in [
        "pub(crate) struct ExampleParameters",
        "How heavy it is.",
        "\"Default 2, at least 1 and at most 3.\"",
        "Self { p: 2f64,",
    ] {
        assert!(has(&text, part), "{text} has no {part}");
    }
}
