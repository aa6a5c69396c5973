use quote::ToTokens;
use syn::Expr;

use super::{Arguments, Items, Place, Setting, model};

fn text(expr: &Expr) -> String {
    expr.to_token_stream().to_string().replace(' ', "")
}

/// `name[index]@point`.
fn place(place: &Place) -> String {
    let index = place.index.as_ref().map(|x| format!("[{}]", text(x)));
    let point = place.point.as_ref().map(|x| format!("@{}", text(x)));
    let [index, point] = [index, point].map(Option::unwrap_or_default);
    format!("{}{index}{point}", place.name)
}

fn setting(setting: &Setting) -> String {
    format!("{}={}", setting.name, text(&setting.value))
}

fn items(items: &Items) -> String {
    let places = items.places.iter().map(place);
    let all = places.chain(items.settings.iter().map(setting));
    all.collect::<Vec<_>>().join("; ")
}

#[test]
fn places_and_settings_come_in_any_order() {
    let check = |input: &str, expected: &str| {
        let found: Items = syn::parse_str(input).expect(input);
        assert_eq!(items(&found), expected, "{input}");
    };
    check("", "");
    check("ground", "ground");
    check("ground, top", "ground; top");
    check("ground, top,", "ground; top");
    check("mass = 1.0, free", "free; mass=1.0");
    check(
        "ground at [0.0, 1.0, 2.0], top at P",
        "ground@[0.0,1.0,2.0]; top@P",
    );
    check(
        "nodes[i + 1] at -x, nodes[0], k = a * b,",
        "nodes[i+1]@-x; nodes[0]; k=a*b",
    );
    // What is named twice is kept twice: only the model knows what that means.
    check("a, a, k = 1, k = 2", "a; a; k=1; k=2");
    // A keyword is a name, as good as any other.
    check("type at [0.0; 3], self", "type@[0.0;3]; self");
    check("angle = if t < 1 { 0 } else { t }", "angle=ift<1{0}else{t}");
}

#[test]
fn malformed_items_are_errors() {
    let check = |input: &str, words: &str| {
        let error = syn::parse_str::<Items>(input).err().expect(input);
        assert!(error.to_string().contains(words), "{input}: {error}");
    };
    check("top on [0.0, 0.0, 0.0]", "expected `at` and a point");
    check("top at", "expected an expression");
    check("ground; top", "expected `,`");
    check("mass = ", "expected an expression");
    check("mass = 1.0 free", "expected `,`");
    check("nodes[]", "expected an expression");
    check("nodes[i, j]", "unexpected token");
    check("3.0", "expected ident");
    check(",", "expected ident");
}

#[test]
fn arguments_have_settings_words_and_constants() {
    let check = |input: &str, expected: &str, constants: &[&str]| {
        let found: Arguments = syn::parse_str(input).expect(input);
        assert_eq!(items(&found.items), expected, "{input}");
        let found: Vec<String> = found.constants.iter().map(setting).collect();
        assert_eq!(found, constants, "{input}");
    };
    check("", "", &[]);
    check(
        "gravity = [0, 0, -9.81], assemble",
        "assemble; gravity=[0,0,-9.81]",
        &[],
    );
    check(
        "consts(A = 1.0, B = 2 * A,), gravity = G,",
        "gravity=G",
        &["A=1.0", "B=2*A"],
    );
    check(
        "consts(A = 1), assemble, consts(B = 2)",
        "assemble",
        &["A=1", "B=2"],
    );
    check("consts()", "", &[]);
}

#[test]
fn malformed_arguments_are_errors() {
    let check = |input: &str, words: &str| {
        let error = syn::parse_str::<Arguments>(input).err().expect(input);
        assert!(error.to_string().contains(words), "{input}: {error}");
    };
    check("constants(A = 1)", "unknown list `constants`");
    check("consts(A)", "expected `=`");
    check("consts(A = 1; B = 2)", "expected `,`");
    check("assemble gravity", "expected `at`");
    check("gravity = [0, 0, 1] assemble", "expected `,`");
}

#[test]
fn a_model_is_a_struct() {
    let read = |input: &str| model(input.parse().expect("tokens"));
    assert_eq!(
        read("pub struct Top { a: B }").expect("a struct").ident,
        "Top"
    );
    for input in ["enum Top { A }", "fn top() {}", "impl Top {}"] {
        let error = read(input).err().expect(input).to_string();
        assert!(error.starts_with("a model is a struct"), "{input}: {error}");
    }
}
