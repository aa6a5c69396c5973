//! A tree of everything: rods on two groups that meet, bodies on hinges and crosses, loads of all
//! kinds, against the same tree put together by hand.

use polhode::chain::{
    Anchor, InternalConstraint, Load, LoadFrame, Place, Profile, Rod, RodStart, Section, Tree,
};
use polhode::generic::description::{Body, JointKind, Start};
use polhode::lie::GroupKind;
use polhode::prelude::multibody;
use polhode::system::{Bodies, Manifold, Mechanics};
use polhode_tests::compare::{assert_close, compare_by_hand};

#[multibody(gravity = [0.3, -1.0, 2.0], consts(SPAN = 0.6, J = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]]))]
struct Network {
    /// Elements of the trunk.
    #[count(default = 4, min = 2)]
    n: usize,
    #[start(position = [0.1, 0.2, 0.3], rotation = along([1.0, -1.0, 0.5]))]
    trunk: [Node<S3sR3>; n + 1],
    #[rod(trunk[i], trunk[i + 1], kirchhoff, stiffness_of_held_strains, length = 2.0 / n, density = 0.7,
        inertia = [0.3, 0.5, 0.4], bending = [2.0, 3.0], torsion = 1.5, shear = [20.0, 30.0],
        extension = 25.0, damping = [0.2, 0.3, 0.1, 0.4, 0.6, 0.5], damping_factor = 1.0,
        curvature = [0.3, -0.2, 0.1])]
    wood: [RodElement; n],
    /// Bodies on hinges about an axis of the one before, the first on a cross.
    #[body(mass = 1.3 + 0.1 * i, inertia = J, center = [0.1, 0.0, -0.2])]
    #[start(rotation = rx(0.1 * i))]
    leaves: [Body<SE3>; 3],
    #[joint(trunk[n - 1], leaves[0] at [0.0, 0.2, 0.0], cross = (ground.x, ground.y))]
    cross: Universal,
    #[joint(leaves[i] at [SPAN, 0.0, 0.0], leaves[i + 1] at [-SPAN, 0.0, 0.1], axis = leaves[i].x)]
    hinges: [Revolute; 2],
    #[joint(ground, trunk[0])]
    root: Fixed,
    #[force(wood, force = [0.1, 0.2, -0.3], torque = [0.4, 0.0, 0.1 * cos(t)])]
    wind: Load,
    #[force(leaves[i] at [0.1, 0.4, -0.2 * i], force = [0.3, 0.2, 0.1 * i + sin(t)], torque = [0.7, 0.0, 0.0], frame = body)]
    drops: [Load; 3],
    #[force(leaves[2] at [0.0, 0.0, 0.5], force = [0.0, 1.0, 0.0])]
    fruit: Load,
}

fn by_hand(elements: usize) -> Tree {
    let section = Section {
        density: 0.7,
        inertia: [0.3, 0.5, 0.4],
        stiffness: [2.0, 3.0, 1.5, 20.0, 30.0, 25.0],
        damping: [0.2, 0.3, 0.1, 0.4, 0.6, 0.5],
        damping_factor: 1.0,
    };
    let mut rod = Rod::new("wood", section, 2.0, elements);
    rod.constraint = InternalConstraint::Kirchhoff;
    rod.stiffness_of_held_strains = true;
    rod.reference = [0.3, -0.2, 0.1, 0.0, 0.0, 1.0];
    rod.start = RodStart::along([0.1, 0.2, 0.3], [1.0, -1.0, 0.5]);
    rod.ends[0] = polhode::chain::Hold::Clamped;
    let single = |moment: [f64; 3], profile| Load {
        force: [0.0; 3],
        moment,
        frame: LoadFrame::Inertial,
        profile,
    };
    rod.distributed = vec![
        Load::dead([0.1, 0.2, -0.3], [0.4, 0.0, 0.0]),
        single([0.0, 0.0, 0.1], Profile::Function(f64::cos)),
    ];
    let mut builder = Tree::builder();
    builder.gravity([0.3, -1.0, 2.0]);
    let trunk = builder.rod(&rod).unwrap();
    // Where the leaves are: the declared model places them by its joints.
    let model = Network::new(NetworkParameters::default()).unwrap();
    let state = polhode::state::State::start(&model, 0.0);
    let mut leaves = Vec::new();
    for (i, mass) in [1.3, 1.4, 1.5].into_iter().enumerate() {
        let leaf = state.leaves(i).unwrap();
        let body = Body {
            name: format!("leaf {i}"),
            group: GroupKind::SE3,
            mass,
            inertia: [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]],
            center: [0.1, 0.0, -0.2],
            start: Start {
                position: leaf.position().to_vec(),
                rotation: leaf.rotation(),
                ..Start::default()
            },
        };
        leaves.push(builder.body(&body).unwrap());
    }
    // x of the first and y of the second frame are inertial axes at the start.
    let at = state.trunk(elements - 1).unwrap().rotation_matrix();
    let first = Anchor {
        place: trunk[elements - 1],
        point: [0.0; 3],
        axes: [0, 2, 1].map(|row: usize| at[row]),
    };
    let second = Anchor {
        place: leaves[0],
        point: [0.0, 0.2, 0.0],
        axes: [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
    };
    builder
        .joint("cross", JointKind::Universal, &first, &second)
        .unwrap();
    for i in 0..2 {
        // z along x of the first leaf; x and y of the frame are inertial at the start.
        let turn = |angle: f64| {
            let (s, c) = angle.sin_cos();
            [[0.0, c, -s], [0.0, s, c], [1.0, 0.0, 0.0]]
        };
        let angle = [0.0, 0.1][i];
        let anchor = |place: Place, point: [f64; 3], angle: f64| Anchor {
            place,
            point,
            axes: turn(angle),
        };
        builder
            .joint(
                "hinge",
                JointKind::Revolute,
                &anchor(leaves[i], [0.6, 0.0, 0.0], angle),
                &anchor(leaves[i + 1], [-0.6, 0.0, 0.1], angle + 0.1),
            )
            .unwrap();
    }
    for (leaf, (z, down)) in leaves.iter().zip([(0.0, 0.0), (0.1, -0.2), (0.2, -0.4)]) {
        let follower = Load::follower([0.3, 0.2, z], [0.7, 0.0, 0.0]);
        let shaking = Load::follower([0.0, 0.0, 1.0], [0.0; 3]);
        let shaking = shaking.with_profile(Profile::Function(f64::sin));
        for load in [follower, shaking] {
            builder.load_at(*leaf, [0.1, 0.4, down], load).unwrap();
        }
    }
    let fruit = Load::dead([0.0, 1.0, 0.0], [0.0; 3]);
    builder.load_at(leaves[2], [0.0, 0.0, 0.5], fruit).unwrap();
    builder.build().unwrap()
}

#[test]
fn the_network_is_the_one_by_hand() {
    compare_by_hand(
        Network::new(NetworkParameters::default()).unwrap(),
        by_hand(4),
        0.1,
    );
}

/// Rods that meet: elements of one field begin at nodes of another, numbers depend on the index.
#[multibody]
struct Fork {
    #[start(position = [0.0, 0.0, 0.0])]
    stem: [Node<S3sR3>; 3],
    #[rod(stem[i], stem[i + 1], length = 0.5, density = 1.0 + i, inertia = 0.1, bending = 4.0 - i,
        torsion = 1.0, shear = 9.0, extension = 9.0)]
    lower: [RodElement; 2],
    twig: [Node<SO3xR3>; 4],
    #[rod(stem[2], twig[0], length = 0.25, density = 2.0, inertia = 0.1, bending = 1.0, torsion = 1.0,
        shear = 9.0, extension = 9.0)]
    fork: RodElement,
    #[rod(twig[i], twig[i + 1], length = 0.25, density = 2.0, inertia = 0.1, bending = 1.0,
        torsion = 1.0, shear = 9.0, extension = 9.0)]
    upper: [RodElement; 3],
    other: Node<S3xR3>,
    #[rod(stem[2], other, length = 0.5, density = 1.0, inertia = 0.1, bending = 1.0, torsion = 1.0,
        shear = 9.0, extension = 9.0)]
    side: RodElement,
}

#[test]
fn rods_that_meet() {
    let fork = Fork::new().unwrap();
    let state = polhode::state::State::start(&fork, 0.0);
    let z = |view: Option<polhode::view::BodyView<'_>>| view.unwrap().position()[2];
    assert_close(
        "places",
        &[z(state.stem(2)), z(state.twig(3)), z(state.other())],
        &[1.0, 2.0, 1.5],
    );
    assert_eq!(fork.factor_name(7), "other");
    // Masses: halves of the elements around each node; the translation of all of them.
    let mut v = fork.new_velocity();
    for node in 0..8 {
        v[6 * node + 5] = 1.0;
    }
    let mut p = fork.new_velocity();
    fork.mass_times(&v, &mut p);
    let masses: Vec<f64> = (0..8).map(|node| p[6 * node + 5]).collect();
    let expected = [0.25, 0.75, 1.0, 0.5, 0.5, 0.5, 0.25, 0.25];
    assert_close("masses", &masses, &expected);
    // Bending of the lower elements by one radian each about y: (4 + 3) / (2 * 0.5).
    let mut theta = fork.new_velocity();
    (theta[7], theta[13]) = (1.0, 2.0);
    let (mut q, mut geometry) = (fork.start_config(), fork.new_geometry());
    fork.displace(&state.q, &theta, &mut q);
    fork.geometry(0.0, &q, &mut geometry).unwrap();
    let strains = fork.assembled().strains(&geometry);
    let bent: f64 = strains[..2].iter().map(|w| w[1]).sum();
    assert_close("curvature", &[bent], &[4.0]);
    let shear = |w: &[f64; 6]| 9.0 * (w[3] * w[3] + w[4] * w[4] + (w[5] - 1.0).powi(2));
    let energy = |w: &[f64; 6], length: f64, bending: f64| {
        0.5 * length * (bending * (w[0] * w[0] + w[1] * w[1]) + w[2] * w[2] + shear(w))
    };
    let stiffness = [4.0, 3.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    let lengths = [0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 0.5];
    let sum: f64 = strains
        .iter()
        .zip(stiffness.iter().zip(lengths))
        .map(|(w, (bending, length))| energy(w, length, *bending))
        .sum();
    let found = fork.energy(0.0, &q, &state.v).potential;
    assert_close("energy", &[found], &[sum]);
}
