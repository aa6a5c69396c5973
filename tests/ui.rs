//! Every documented mistake gives an error on the token at fault that says what to type, and no
//! second one: each case also uses its model.

#[test]
fn mistakes_are_explained() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    cases.compile_fail("tests/ui/*/*.rs");
}
