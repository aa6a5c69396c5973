//! The stages one by one: lengths and ends as they are read, counts, samples, graphs, text.

use crate::arrays::graph::Graph;
use crate::arrays::lower::{has_arrays, lower};
use crate::arrays::model::{Arrays, Place};
use crate::arrays::sample::Sample;
use crate::arrays::{affine::Affine, check};
use crate::diag::Diagnostics;
use crate::example::one_error;

fn lowered(item: &str) -> (Arrays, Vec<String>) {
    let (arguments, item) = (syn::parse_str(""), syn::parse_str(item));
    let mut dx = Diagnostics::default();
    let arrays = lower(
        &arguments.expect("arguments"),
        &item.expect("a struct"),
        &mut dx,
    );
    (arrays, dx.messages())
}

/// A model without errors.
fn arrays(item: &str) -> Arrays {
    let (arrays, errors) = lowered(item);
    assert!(errors.is_empty(), "{errors:#?}");
    arrays
}

/// All errors, with those of the checks.
fn checked(item: &str) -> Vec<String> {
    let (arrays, errors) = lowered(item);
    if !errors.is_empty() {
        return errors;
    }
    let mut dx = Diagnostics::default();
    check::numbers(&arrays, &mut dx);
    if dx.is_empty() {
        Graph::checked(&arrays, &mut dx);
    }
    dx.messages()
}

/// Links with joints between neighbours, and with the ground.
fn chain(head: &str, links: &str, joints: &str) -> String {
    format!(
        "struct Chain{head}
            #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
            links: [Body<SE3>; {links}],
            #[joint(links[i] at x, links[i + 1] at -x)]
            joints: [Spherical; {joints}],
            #[joint(ground, links[0])]
            pivot: Spherical,
        }}"
    )
}

#[test]
fn models_with_arrays_are_recognized() {
    let check = |field: &str, expected: bool| {
        let item = syn::parse_str(&format!("struct S {{ a: {field} }}")).expect("a struct");
        assert_eq!(has_arrays(&item), expected, "{field}");
    };
    check("[Body<SE3>; 3]", true);
    check("Node<SE3>", true);
    check("RodElement", true);
    check("usize", true);
    check("Body<SE3>", false);
    check("f64", false);
}

#[test]
fn lengths_and_ends_are_linear_in_the_counts() {
    let arrays = arrays(&chain("<const N: usize> {", "N", "N - 1"));
    let names = arrays.count_names();
    assert_eq!(
        (names.join(" "), arrays.least(), arrays.samples()),
        ("N".to_owned(), vec![1], vec![8])
    );
    let words = |affine: &Option<Affine>| affine.as_ref().map(|a| a.words(&names));
    assert_eq!(words(&arrays.members[0].len).as_deref(), Some("N"));
    let ends = |joint: usize| {
        let end = |place: &Place| place.as_ref().map(|end| end.index.words(&names));
        arrays.joints[joint].ends.each_ref().map(end)
    };
    assert_eq!(words(&arrays.joints[0].len).as_deref(), Some("N - 1"));
    assert_eq!(ends(0), [Some("i".to_owned()), Some("i + 1".to_owned())]);
    assert_eq!(words(&arrays.joints[1].len), None);
    assert_eq!(ends(1), [None, Some("0".to_owned())]);
}

#[test]
fn counts_have_defaults() {
    let with = |count: &str| chain(&format!("{{ #[count({count})] n: usize,"), "n", "n - 1");
    let found = arrays(&with("default = 5, min = 3"));
    assert_eq!((found.least(), found.samples()), (vec![3], vec![5]));
    let fails = |count: &str, words: &str| one_error(&lowered(&with(count)).1, words);
    fails("min = 3", "count `n` has no default");
    fails(
        "default = 2, min = 3",
        "the default 2 of `n` is below its smallest value 3",
    );
    fails("default = 2.5", "`default` of a count is 2.5");
    fails("default = -1", "`default` of a count is -1");
    fails("default = ", "expected an expression");
    fails("defualt = 3", "did you mean `default`?");
    let two = with("default = 5").replace("{ #", "{ #[count(default = 2)] m: usize, #");
    one_error(&lowered(&two).1, "`m` is a count already");
}

#[test]
fn indices_are_inside_for_all_counts() {
    let of = |links: &str, joints: &str| checked(&chain("<const N: usize> {", links, joints));
    assert_eq!(of("N", "N - 1"), [""; 0]);
    assert_eq!(of("N + 1", "N"), [""; 0]);
    one_error(
        &of("N", "N"),
        "`joints` names `links[N]`, but `links` ends at `links[N - 1]`",
    );
    let literal = |links: &str, joints: &str| checked(&chain(" {", links, joints));
    assert_eq!(literal("4", "3"), [""; 0]);
    one_error(
        &literal("4", "4"),
        "names `links[4]`, but `links` ends at `links[3]`",
    );
    let back = chain(" {", "4", "3").replace("links[i] at x", "links[i - 1] at x");
    one_error(&checked(&back), "names `links[-1]`");
}

/// Of two links one hangs in the air.
#[test]
fn everything_is_held() {
    let loose = chain("<const N: usize> {", "N + 1", "N - 1");
    one_error(
        &checked(&loose),
        "body `links[8]` is not connected to anything, with N = 8",
    );
    let free = loose.replace("[0.1, 0.1, 0.1])", "[0.1, 0.1, 0.1], free)");
    assert_eq!(checked(&free), [""; 0]);
}

#[test]
fn graphs_know_loops_and_what_is_touched() {
    let graph = |item: &str| {
        let mut dx = Diagnostics::default();
        let graph = Graph::checked(&arrays(item), &mut dx).expect("a graph");
        assert!(dx.is_empty(), "{:?}", dx.messages());
        graph
    };
    let open = graph(&chain(" {", "3", "2"));
    assert!(!open.closed);
    assert_eq!((open.starts, open.touched), (vec![0], vec![true; 3]));
    let with = |joint: &str| {
        let pivot = "pivot: Spherical,";
        chain(" {", "3", "2").replace(
            pivot,
            &format!("{pivot} #[joint({joint})] more: Spherical,"),
        )
    };
    assert!(graph(&with("links[2] at x, links[0]")).closed);
    // The ground does not close a loop.
    assert!(!graph(&with("links[2] at x, ground")).closed);
}

/// `m`, `m - 1` and `2 m + 1` stay what they are to each other.
#[test]
fn large_numbers_are_replaced_by_smaller_ones_that_belong_together() {
    let large = arrays(&chain(" {", "400000", "399999"));
    let sample = Sample::reduced(&large).expect("large numbers");
    let at = |n: i64| sample.at(&Affine::number(n, 0), 0).expect("small");
    assert!(at(400_000) <= 1000, "{}", at(400_000));
    assert_eq!(at(400_000) - at(399_999), 1);
    assert_eq!(at(-399_999), -at(399_999));
    // What is small stays.
    assert_eq!(at(7), 7);
    assert!(Sample::reduced(&arrays(&chain(" {", "400", "399"))).is_none());
    let whole = Sample::whole(&large);
    assert_eq!(whole.at(&Affine::number(400_000, 0), 0), Some(400_000));
    let twice = arrays(&chain(" {", "800001", "400000"));
    let sample = Sample::reduced(&twice).expect("large numbers");
    let at = |n: i64| sample.at(&Affine::number(n, 0), 0).expect("small");
    assert_eq!(at(800_001), 2 * at(400_000) + 1);
}

/// `p` parameters, then constants outside, `c` counts, `i` the index.
#[test]
fn formulas_are_rust_over_what_is_known_late() {
    let check = |formula: &str, expected: &str| {
        let item = format!(
            "struct S<const N: usize> {{
                #[param(default = 1.0)] p: f64,
                #[body(mass = p, inertia = [0.1, 0.1, 0.1])] links: [Body<SE3>; N],
                #[force(links[i], force = [{formula}, 0.0, 0.0])] push: [Load; N],
            }}"
        );
        let arrays = arrays(&item);
        let found = arrays.data(&arrays.loads[0].components[0]);
        assert_eq!(found, expected);
    };
    check("2.0 * p", "rt::Formula::Number((2.0_f64 * p[0]))");
    check("N - i", "rt::Formula::Number((c[0] - i))");
    check("self::G / N", "rt::Formula::Number((p[1] / c[0]))");
    check("t", "rt::Formula::Time");
    check(
        "p * sin(t)",
        "rt::Formula::Mul(rt::Box::new(rt::Formula::Number(p[0])), rt::Box::new(rt::Formula::Call(rt::Function::Sin, rt::Box::new(rt::Formula::Time))))",
    );
    check(
        "-links[i].velocity.y",
        "rt::Formula::Neg(rt::Box::new(rt::Formula::Body { body: rt::Row::name(&m0, 0_i64 + 1 * k, \"push\")?, quantity: rt::BodyQuantity::Velocity, axis: 1 }))",
    );
}

#[test]
fn numbers_of_rods_are_positive() {
    let rod = |from: &str, to: &str| {
        let item = super::ROD.replace("COUNT", "4").replace(from, to);
        checked(&item)
    };
    assert_eq!(rod("", ""), [""; 0]);
    one_error(
        &rod("density = 1.0", "density = 0.0"),
        "the density of `edges` is 0",
    );
    one_error(
        &rod("length = 1.0 / 4", "length = -1.0"),
        "the length of `edges` is -1",
    );
    one_error(&rod("extension = 1e4", "extension = -1e4"), "is -10000");
    one_error(&rod("bending = 1.0", "bending = [1.0, -1.0]"), "bending");
    let both = rod(
        "bending = 1.0, torsion = 1.0",
        "bending = -1.0, torsion = -1.0",
    );
    assert!(
        both.len() == 2 && both[0].contains("bending") && both[1].contains("torsion"),
        "{both:?}"
    );
    assert_eq!(
        rod("density", "curvature = [-2.0, -1.0, -1.0], density"),
        [""; 0]
    );
    one_error(
        &rod("[Node<S3sR3>; 4 + 1]", "[Node<S3sR3>; 6]"),
        "node `nodes[5]` belongs to no rod element",
    );
}

/// The first node of a rod is clamped; a load on each of the others is none on that.
#[test]
fn loads_act_on_what_moves() {
    let on = |node: &str| {
        let rod = super::ROD
            .replace("COUNT", "4")
            .replace("load: Load", "load: [Load; 4]");
        checked(&rod.replace("force(nodes[4]", &format!("force(nodes[{node}]")))
    };
    assert_eq!(on("i + 1"), [""; 0]);
    one_error(&on("i"), "`load` acts on `nodes[0]`, which is clamped");
}

#[test]
fn by_default_no_array_is_empty() {
    let points = |count: &str| {
        checked(&format!(
            "struct Points {{
                #[count(default = {count}, min = 2)]
                n: usize,
                #[body(mass = 1.0, free)]
                points: [Body<R3>; n - 2],
            }}"
        ))
    };
    assert_eq!(points("3"), [""; 0]);
    one_error(
        &points("2"),
        "`points` has 0 elements with the default counts",
    );
}
