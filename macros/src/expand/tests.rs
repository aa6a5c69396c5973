use super::{access, joints, multibody, summary};
use crate::check::Mobility;
use crate::example::{items, model};
use crate::mechanics::Mechanics;

const HINGE: &str = "#[body(mass = 1, inertia = [1, 1, 1])] a: Body<SE3>,
    #[body(mass = [1, 2], free)] m: Body<R2>,
    #[joint(ground, a, axis = x)] hinge: Revolute,";

#[test]
fn the_summary_counts_what_was_generated() {
    let model = model("", HINGE);
    let mechanics = Mechanics::new(&model);
    let operations = [("force".to_owned(), 7)];
    let of = |redundant: usize| {
        let mobility = Mobility {
            grubler: -1,
            degrees: 3,
            redundant,
        };
        summary(&mechanics, &operations, Some(mobility))
    };
    let text = of(0);
    assert!(
        text.contains("2 bodies, 8 velocities, 5 constraints."),
        "{text}"
    );
    assert!(text.contains("`m` has 2 modal coordinates."), "{text}");
    assert!(text.contains("Degrees of freedom: 3.\n"), "{text}");
    assert!(
        text.ends_with("| kernel | operations |\n|---|---|\n| force | 7 |\n"),
        "{text}"
    );
    let repeats = "(Grübler's count is -1; 4 constraints repeat others)";
    assert!(of(4).contains(repeats) && !text.contains(repeats));
    assert!(!summary(&mechanics, &[], None).contains("freedom"));
}

/// Names that are taken are left to be written as text.
#[test]
fn joints_are_constants() {
    let constants = |second: &str| {
        let fields = format!("{HINGE} #[joint(ground, a, axis = x)] {second}: Revolute,");
        items(joints(&model("", &fields)))
    };
    assert_eq!(constants("pivot"), ["Example::HINGE", "Example::PIVOT"]);
    assert_eq!(constants("Hinge"), ["Example::HINGE"]);
    assert_eq!(constants("dof"), ["Example::HINGE"]);
    let none = joints(&model("", "#[body(mass = 1, free)] a: Body<R3>,"));
    assert!(none.is_empty());
}

#[test]
fn states_have_a_view_of_every_body() {
    let (declared, implemented) = access(&model("", HINGE), &syn::parse_quote!(pub));
    let text = format!("{declared}{implemented}").replace(' ', "");
    // The configuration of `a` has 12 components, its velocity 6; `m` comes after.
    for part in [
        "pubtraitExampleState{",
        "fna(&self)->::polhode::view::BodyView<'_>;",
        "fnm(&self)->::polhode::view::ModesView<'_,2usize>;",
        "GroupKind::SE3,&self.q[0usize..12usize],&self.v[0usize..6usize]",
        "ModesView::new(&self.q[12usize..14usize],&self.v[6usize..8usize])",
    ] {
        assert!(text.contains(part), "{text} has no {part}");
    }
}

/// Errors of all stages at once: syntax, model, checks.
#[test]
fn errors_of_all_stages_are_reported_together() {
    let expand = |arguments: &str, item: &str| {
        let [arguments, item] = [arguments, item].map(|text| text.parse().expect("tokens"));
        multibody(arguments, item).to_string()
    };
    let item = "struct Example {
        #[body(mass = -1, free)] a: Body<R3>,
        #[force(a, froce = x)] f: Load,
    }";
    let text = expand("gravty = x", item);
    for words in [
        "did you mean `gravity`?",
        "did you mean `force`?",
        "the mass of `a` is -1",
    ] {
        assert!(text.contains(words), "{text} has no {words}");
    }
    assert_eq!(text.matches("compile_error").count(), 3, "{text}");
    // An attribute that is wrong is one more; numbers that it may explain are not looked at then.
    let text = expand("", &format!("#[repr(C)] {item}"));
    assert!(text.contains("would have no effect") && text.contains("did you mean `force`?"));
    // What is no struct is one error and nothing else.
    let text = expand("", "enum Example { A }");
    assert_eq!(text.matches("compile_error").count(), 1, "{text}");
    // Arguments that cannot be read leave the rest of the model to be looked at.
    let text = expand("consts(A)", item);
    assert!(
        text.contains("expected `=`") && text.contains("did you mean `force`?"),
        "{text}"
    );
}
