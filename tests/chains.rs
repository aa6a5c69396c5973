//! Chains of rigid links: references, the generic system, order and allocations.

use polhode::chain::{Anchor, ChainStart, InvalidTree, Link, LinkChain, Place, Tree};
use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::generic::GenericSystem;
use polhode::generic::description::{
    Attachment, Body, Description, GROUND, Joint, JointKind, Start,
};
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::output::Output;
use polhode::stepper::Method;
use polhode::system::Bodies;
use polhode_tests::{Driver, data, difference, distance, floats, observed_order};

const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

fn chain(count: usize) -> LinkChain {
    #[expect(clippy::cast_precision_loss, reason = "a few links")]
    let start = ChainStart::straight(count, [0.0, 0.0, 1.0 / count as f64]);
    LinkChain::uniform(Link::cylinder(1.0, 1.0, 0.05), GRAVITY, &start).unwrap()
}

/// Free ends at `t = 0.2` and `t = 1`.
#[test]
fn free_ends() {
    let reference = data("chains.json");
    for (count, h) in [
        (2, 1.0 / 1000.0),
        (5, 1.0 / 2000.0),
        (10, 1.0 / 2000.0),
        (20, 1.0 / 2000.0),
    ] {
        let chain = chain(count);
        let run = HalfExplicit::order5()
            .simulate(&chain, 0.0..=1.0)
            .step(h)
            .output(Output::At(vec![0.2, 1.0]))
            .run()
            .unwrap();
        for (time, name, tolerance) in [(0.2, "0.2", 1e-9), (1.0, "1", 1e-8)] {
            let state = run.states().iter().find(|s| s.t == time).unwrap();
            let expected = floats(&reference["tips"][count.to_string()][name]);
            let error = distance(&chain.tip(&state.q), &expected);
            println!("{count} links, t = {time}: {error:.1e}");
            assert!(error < tolerance, "{count} links at {time}: {error:.1e}");
        }
    }
}

/// Generalized-alpha converges to the same motion with order 2, in every formulation.
#[test]
fn order_of_generalized_alpha() {
    let chain = chain(5);
    let end = 0.5;
    let exact = HalfExplicit::order5()
        .simulate(&chain, 0.0..=end)
        .step(1.0 / 4096.0)
        .output(Output::EndOnly)
        .run()
        .unwrap();
    for method in [
        GeneralizedAlpha::index3(),
        GeneralizedAlpha::index2(),
        GeneralizedAlpha::stabilized_index2().sigma(Sigma::One),
        GeneralizedAlpha::stabilized_index2(),
    ] {
        let points: Vec<(f64, f64)> = [128.0, 256.0, 512.0, 1024.0]
            .map(|steps| {
                let h = end / steps;
                let run = method
                    .simulate(&chain, 0.0..=end)
                    .step(h)
                    .output(Output::EndOnly)
                    .run()
                    .unwrap();
                (h, chain.space().distance(&run.last().q, &exact.last().q))
            })
            .into();
        let order = observed_order(&points);
        println!(
            "{:?} {:?}: {order:.2} {points:?}",
            method.formulation, method.sigma
        );
        assert!((order - 2.0).abs() < 0.1, "{method:?}: {order}");
    }
}

/// Bodies hinged, welded and crossed one to the next: the tree and the generic system.
#[test]
fn a_tree_moves_like_the_generic_system() {
    let kinds = [
        JointKind::Revolute,
        JointKind::Spherical,
        JointKind::Universal,
        JointKind::Fixed,
        JointKind::Revolute,
    ];
    for group in [
        GroupKind::S3sR3,
        GroupKind::SE3,
        GroupKind::S3xR3,
        GroupKind::SO3xR3,
    ] {
        let bodies: Vec<Body> = (0..kinds.len())
            .map(|i| Body {
                name: format!("b{i}"),
                group,
                mass: 1.0,
                inertia: [[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.3]],
                center: [0.0; 3],
                start: Start {
                    position: vec![f64::from(u8::try_from(i).unwrap()) + 0.5, 0.0, 0.0],
                    ..Start::default()
                },
            })
            .collect();
        // Hinges about y, so that gravity moves them.
        let axes = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let attachment = |i: usize, x: f64| Attachment {
            body: if i == 0 {
                GROUND.to_owned()
            } else {
                format!("b{}", i - 1)
            },
            point: [if i == 0 { 0.0 } else { x }, 0.0, 0.0],
            axes,
        };
        let joints: Vec<Joint> = (0..kinds.len())
            .map(|i| Joint {
                name: format!("j{i}"),
                kind: kinds[i].clone(),
                first: attachment(i, 0.5),
                second: attachment(i + 1, -0.5),
            })
            .collect();
        let mut builder = Tree::builder();
        builder.gravity([0.0, 1.0, -9.81]);
        let places: Vec<Place> = bodies.iter().map(|b| builder.body(b).unwrap()).collect();
        for (i, joint) in joints.iter().enumerate() {
            let anchor = |attachment: &Attachment, place| Anchor {
                place,
                point: attachment.point,
                axes: attachment.axes,
            };
            let before = if i == 0 { Place::GROUND } else { places[i - 1] };
            let (a, b) = (
                anchor(&joint.first, before),
                anchor(&joint.second, places[i]),
            );
            builder
                .joint(&joint.name, joint.kind.clone(), &a, &b)
                .unwrap();
        }
        let tree = builder.build().unwrap();
        let generic = GenericSystem::new(Description {
            name: "chain".to_owned(),
            gravity: [0.0, 1.0, -9.81],
            bodies,
            joints,
            ..Description::default()
        })
        .unwrap();
        let h = 1e-3;
        let mut one = Driver::new(tree, &HalfExplicit::order5(), h);
        let mut two = Driver::new(generic, &HalfExplicit::order5(), h);
        one.steps(300, h);
        two.steps(300, h);
        let (q, v) = (
            difference(&one.state.q, &two.state.q),
            difference(&one.state.v, &two.state.v),
        );
        println!("{group}: q {q:.1e}, v {v:.1e}");
        assert!(q < 1e-10 && v < 1e-9, "{group}: q {q:.1e}, v {v:.1e}");
        let turned = one.state.v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        assert!(turned > 0.5, "{group}: it should have moved, {turned}");
    }
}

#[test]
fn steps_do_not_allocate() {
    let count = |work: &mut dyn FnMut()| allocation_counter::measure(work).count_total;
    let h = 1e-3;
    for method in [HalfExplicit::order2(), HalfExplicit::order5()] {
        let mut run = Driver::new(chain(30), &method, h);
        run.steps(1, h);
        assert_eq!(count(&mut || run.steps(20, h)), 0, "{method:?}");
    }
    for method in [
        GeneralizedAlpha::index3(),
        GeneralizedAlpha::index2(),
        GeneralizedAlpha::stabilized_index2(),
    ] {
        let mut run = Driver::new(chain(30), &method, h);
        run.steps(1, h);
        assert_eq!(count(&mut || run.steps(20, h)), 0, "{method:?}");
    }
}

/// A hundred thousand links make a step, and memory grows with the links only.
#[test]
fn a_hundred_thousand_links() {
    let bytes = |count: usize| {
        let mut error = 0.0;
        let info = allocation_counter::measure(|| {
            let h = 1e-4;
            let mut run = Driver::new(chain(count), &HalfExplicit::order5(), h);
            run.steps(2, h);
            // Far from the joint the chain falls freely.
            let z = run.state.q[12 * (count - 1) + 11];
            error = (z + 0.5 * 9.81 * (2.0 * h) * (2.0 * h)).abs();
        });
        assert!(error < 1e-12, "{count} links: {error:e}");
        info.bytes_max
    };
    #[expect(clippy::cast_precision_loss, reason = "bytes")]
    let ratio = bytes(100_000) as f64 / bytes(10_000) as f64;
    assert!((9.0..11.0).contains(&ratio), "{ratio}");
}

#[test]
fn nonsense_is_a_typed_error() {
    let link = Link::cylinder(1.0, 1.0, 0.05);
    let start = |count: usize| ChainStart::straight(count, [0.0; 3]);
    let build = |links: &[Link], start: &ChainStart| LinkChain::new(links, GRAVITY, start);
    assert_eq!(build(&[], &start(0)).unwrap_err(), InvalidTree::NoLinks);
    let mut heavy = link;
    heavy.mass = -1.0;
    let mut flat = link;
    flat.inertia[2] = 0.0;
    let mut short = link;
    short.second = short.first;
    for (word, bad) in [("mass", heavy), ("inertia", flat), ("joint", short)] {
        let error = build(&[link, bad, link], &start(3))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains(word) && error.contains("link 1"),
            "{word}: {error}"
        );
    }
    let error = build(&[link; 3], &start(2)).unwrap_err().to_string();
    assert!(error.contains("rotations"), "{error}");
    assert!(build(&[link], &start(1)).is_ok());
}
