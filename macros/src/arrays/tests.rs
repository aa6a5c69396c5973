//! Whole expansions of models with arrays.

mod stages;

use crate::expand::multibody;

fn expand(item: &str) -> String {
    let item = item.parse().expect("tokens");
    let tokens = multibody("gravity = [0.0, 0.0, -9.81]".parse().expect("tokens"), item);
    let file = syn::parse2(tokens).expect("the expansion is Rust");
    prettyplease::unparse(&file)
}

const ROD: &str = "struct Rod {
    #[start(rotation = along(x))]
    nodes: [Node<S3sR3>; COUNT + 1],
    #[rod(nodes[i], nodes[i + 1], kirchhoff, length = 1.0 / COUNT, density = 1.0, inertia = 0.1,
        bending = 1.0, torsion = 1.0, extension = 1e4, damping = 0.1)]
    edges: [RodElement; COUNT],
    #[joint(ground, nodes[0])]
    clamp: Fixed,
    #[force(nodes[COUNT], force = [0.0, 0.0, sin(t)])]
    load: Load,
}";

const CHAIN: &str = "struct Chain<const N: usize> {
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    links: [Body<SO3xR3>; N],
    #[joint(links[i] at [0.5, 0.0, 0.0], links[i + 1] at [-0.5, 0.0, 0.0])]
    joints: [Spherical; N - 1],
    #[joint(ground at [0.0, 0.0, 0.0], links[0] at [-0.5, 0.0, 0.0])]
    pivot: Spherical,
}";

/// What is generated depends on N in the numbers that contain it, and in nothing else.
#[test]
fn expansions_do_not_grow() {
    let lines = |count: &str| {
        let text = expand(&ROD.replace("COUNT", count));
        assert!(!text.contains("compile_error"), "{text}");
        text.lines().count()
    };
    let (few, many) = (lines("2"), lines("200000"));
    assert_eq!(few, many);
    assert!(few < 220, "{few} lines");
    let (short, long) = (
        expand(&ROD.replace("COUNT", "10")),
        expand(&ROD.replace("COUNT", "99")),
    );
    // One element of 0.1 or of 0.0101.. metres.
    assert!(short.len().abs_diff(long.len()) < 50);
}

#[test]
fn expansions_are_the_same_from_run_to_run() {
    let rod = ROD.replace("COUNT", "8");
    assert_eq!(expand(&rod), expand(&rod));
    assert_eq!(expand(CHAIN), expand(CHAIN));
}

/// What can fail says so: no model with arrays has a default that panics, or anything else that does.
#[test]
fn nothing_generated_panics() {
    for item in [
        &ROD.replace("COUNT", "8"),
        CHAIN,
        &RING.replace("COUNT", "8"),
    ] {
        let text = expand(item);
        for word in [
            "panic",
            "unwrap(",
            "unwrap_or_else",
            "expect(",
            "unreachable",
            "Default for",
        ] {
            assert!(!text.contains(word), "{word} in\n{text}");
        }
    }
}

/// Of a long array some elements are tried, at both ends: the last is among them.
#[test]
fn numbers_are_checked_at_both_ends() {
    let rod = |density: &str, count: &str| {
        let item = ROD.replace("density = 1.0", &format!("density = {density}"));
        expand(&item.replace("COUNT", count))
    };
    for count in ["8", "499", "500", "501", "999", "1000", "1001", "200000"] {
        let last = count.parse::<usize>().unwrap() - 1;
        let text = rod(&format!("{last} - i"), count);
        let found = format!("the density of `edges[{last}]` is 0");
        assert!(text.contains(&found), "{count}:\n{text}");
        let text = rod(&format!("{last}.5 - i"), count);
        assert!(!text.contains("compile_error"), "{count}:\n{text}");
    }
}

/// The fast chain is chosen where it fits, and only there.
#[test]
fn plain_chains_are_found() {
    let is_chain = |item: &str| {
        let text = expand(item);
        assert!(!text.contains("compile_error"), "{text}");
        text.contains("::polhode::chain::LinkChain")
    };
    assert!(is_chain(CHAIN));
    let ends = CHAIN.replace(
        "pivot: Spherical,",
        "pivot: Spherical, #[joint(links[N - 1] at [0.5, 0.0, 0.0], ground at [3.0, 0.0, 0.0])] end: Spherical,",
    );
    assert!(is_chain(&ends));
    for (from, to) in [
        (
            "[-0.5, 0.0, 0.0])]\n    joints",
            "[-0.5, 0.1, 0.0])]\n    joints",
        ),
        ("SO3xR3", "SE3"),
        (
            "inertia = [0.1, 0.1, 0.1]",
            "inertia = [[0.1, 0.01, 0.0], [0.01, 0.1, 0.0], [0.0, 0.0, 0.1]]",
        ),
        ("[Spherical; N - 1]", "[Fixed; N - 1]"),
        (
            "ground at [0.0, 0.0, 0.0], links[0] at [-0.5, 0.0, 0.0]",
            "links[0] at [-0.5, 0.0, 0.0], ground",
        ),
        (
            "pivot: Spherical,",
            "pivot: Spherical, #[force(links[0], force = [1.0, 0.0, 0.0])] load: Load,",
        ),
    ] {
        let other = CHAIN.replace(from, to);
        assert_ne!(other, CHAIN, "{from}");
        assert!(!is_chain(&other), "{to}");
    }
}

const RING: &str = "struct Ring {
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    #[start(position = [i, 0.0, 0.0])]
    links: [Body<SE3>; COUNT],
    #[joint(links[i] at [0.5, 0.0, 0.0], links[i + 1] at [-0.5, 0.0, 0.0])]
    joints: [Spherical; COUNT - 1],
    #[joint(links[COUNT - 1] at [0.5, 0.0, 0.0], links[0] at [-0.5, 0.0, 0.0])]
    seam: Spherical,
    #[force(ground, links[i], stiffness = 1.0, length = 1.0 + i)]
    springs: [SpringDamper; COUNT],
    #[force(links[i], force = -0.1 * links[i].velocity)]
    drag: [Load; COUNT],
}";

/// What is neither a chain nor a tree is a network, and its code does not grow either.
#[test]
fn networks_are_found() {
    let is_network = |item: &str| {
        let text = expand(item);
        assert!(!text.contains("compile_error"), "{text}");
        text.contains("rt::Parts::network(&parts)")
    };
    assert!(is_network(&RING.replace("COUNT", "8")));
    let lines = |count: &str| expand(&RING.replace("COUNT", count)).lines().count();
    assert_eq!(lines("3"), lines("200000"));
    assert!(!is_network(CHAIN) && !is_network(&ROD.replace("COUNT", "8")));
    // One thing at a time.
    for (from, to) in [
        (
            "pivot: Spherical,",
            "pivot: Spherical, #[joint(links[N - 1] at [0.5, 0.0, 0.0], links[0])] seam: Spherical,",
        ),
        ("[Spherical; N - 1]", "[Distance; N - 1]"),
        (
            "inertia = [0.1, 0.1, 0.1])]\n    links: [Body<SO3xR3>; N]",
            ")] links: [Body<R3>; N]",
        ),
        (
            "pivot: Spherical,",
            "pivot: Spherical, #[force(ground, links[0], stiffness = 1.0, length = 1.0)] s: SpringDamper,",
        ),
        (
            "pivot: Spherical,",
            "pivot: Spherical, #[force(links[0], force = links[0].velocity)] s: Load,",
        ),
    ] {
        let mut other = CHAIN.replace(from, to);
        assert_ne!(other, CHAIN, "{from}");
        if to.contains("Distance") {
            other = other.replace(
                "links[i + 1] at [-0.5, 0.0, 0.0])",
                "links[i + 1], length = 1.0)",
            );
        }
        if to.contains("R3>; N") {
            other = other.replace("mass = 1.0, )", "mass = 1.0)");
        }
        assert!(is_network(&other), "{to}");
    }
}

/// A loop is seen however long it is, by reduced literals and counts, and what is wrong with a long
/// array, too.
#[test]
fn long_arrays_are_looked_at() {
    let network = |item: &str| {
        let text = expand(item);
        assert!(!text.contains("compile_error"), "{text}");
        text.contains("rt::Parts::network(&parts)")
    };
    // Without springs and loads, which make a network of anything.
    let forces = RING.find("#[force").expect("forces");
    let ring = format!("{}}}", &RING[..forces]);
    let seam = ring.find("#[joint(links[COUNT - 1]").expect("a seam");
    let open = format!("{}}}", &ring[..seam]);
    for count in ["40", "501", "1000", "290000", "400000", "100000000"] {
        assert!(network(&ring.replace("COUNT", count)), "{count}");
        assert!(!network(&open.replace("COUNT", count)), "{count}");
    }
    // As literals that belong together, as a count, and as a constant.
    let literal = ring
        .replace("COUNT - 1", "399999")
        .replace("COUNT", "400000");
    assert!(network(&literal));
    let count = |item: &str| {
        let field = "{ #[count(default = 400000, min = 3)] n: usize,";
        item.replacen('{', field, 1).replace("COUNT", "n")
    };
    assert!(network(&count(&ring)) && !network(&count(&open)));
    // Twice as many nodes as elements that name them, and two lengths with their sum.
    let pairs = "struct Pairs {
        nodes: [Node<S3sR3>; 800001],
        #[rod(nodes[2 * i], nodes[2 * i + 1], inextensible, length = 0.5, density = 1.0, inertia = 0.1,
            bending = 1.0, torsion = 1.0)]
        even: [RodElement; 400000],
        #[rod(nodes[2 * i + 1], nodes[2 * i + 2], inextensible, length = 0.5, density = 1.0, inertia = 0.1,
            bending = 1.0, torsion = 1.0)]
        odd: [RodElement; 400000],
        MORE
    }";
    assert!(!network(&pairs.replace("MORE", "")));
    let more =
        "#[rod(nodes[800000], nodes[3], inextensible, length = 0.5, density = 1.0, inertia = 0.1,
        bending = 1.0, torsion = 1.0)] back: RodElement,";
    assert!(network(&pairs.replace("MORE", more)));
    let sum = "struct Sum {
        nodes: [Node<S3sR3>; 1000004],
        #[rod(nodes[i], nodes[i + 1], inextensible, length = 0.5, density = 1.0, inertia = 0.1,
            bending = 1.0, torsion = 1.0)]
        first: [RodElement; 300000],
        #[rod(nodes[300000 + i], nodes[300001 + i], inextensible, length = 0.5, density = 1.0, inertia = 0.1,
            bending = 1.0, torsion = 1.0)]
        second: [RodElement; 700003],
    }";
    assert!(!network(sum));
    // What is wrong is reported with the numbers of the model where it can be looked at as a whole.
    let error = |item: &str| {
        let text = expand(item);
        assert!(text.contains("compile_error"), "{text}");
        text
    };
    let short = ROD
        .replace("COUNT + 1", "200002")
        .replace("COUNT", "200000");
    assert!(error(&short).contains("nodes[200001]"));
}
