use super::{Group, ParameterRange, rotation_matrix, without_rounding};
use crate::example::{close, model, random, rotation};

#[test]
fn groups_have_sizes_and_names() {
    let check = |name: &str, group: Group, sizes: (usize, usize), kind: &str| {
        assert_eq!((group.config_len(), group.dof()), sizes, "{name}");
        assert_eq!(
            (group.name(), group.kind()),
            (name.to_owned(), kind.to_owned())
        );
    };
    check("SO3", Group::So3, (9, 3), "SO3");
    check("S3", Group::S3, (4, 3), "S3");
    check("SO3xR3", Group::So3xR3, (12, 6), "SO3xR3");
    check("SE3", Group::Se3, (12, 6), "SE3");
    check("S3xR3", Group::S3xR3, (7, 6), "S3xR3");
    check("S3sR3", Group::S3sR3, (7, 6), "S3sR3");
    check("R5", Group::Rn(5), (5, 5), "Rn(5)");
}

#[test]
fn every_group_is_of_one_kind() {
    let all = Group::NAMED.map(|(_, group)| group);
    for group in all.into_iter().chain([Group::Rn(3)]) {
        let kinds = [
            group.is_pinned(),
            group.is_direct(),
            group.is_semidirect(),
            !group.rotates(),
        ];
        let count = kinds.iter().filter(|is| **is).count();
        assert_eq!(count, 1, "{}", group.name());
    }
}

/// The columns of the matrix are `p e_i p*`.
#[test]
fn quaternions_are_rotation_matrices() {
    for seed in 0..5 {
        let p = random(seed, 4);
        let norm = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        let p: [f64; 4] = core::array::from_fn(|i| p[i] / norm);
        let expected = rotation(Group::S3, &p);
        close(
            rotation_matrix(p).as_flattened(),
            expected.as_flattened(),
            1e-15,
            "matrix",
        );
    }
    let half = 0.5_f64.sqrt();
    let quarter = rotation_matrix([half, 0.0, 0.0, half]);
    assert_eq!(
        quarter,
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    );
}

#[test]
fn rounding_is_taken_out_of_direction_cosines() {
    let check = |x: f64, expected: f64| assert_eq!(without_rounding(x), expected, "{x:e}");
    check(1e-16, 0.0);
    check(-1e-16, 0.0);
    check(1.0 - 2e-16, 1.0);
    check(-1.0 + 2e-16, -1.0);
    for other in [1e-14, -0.5, 1.0 - 1e-14] {
        check(other, other);
    }
}

#[test]
fn ranges_have_ends() {
    let positive = ParameterRange {
        min: 0.0,
        above_min: true,
        ..ParameterRange::ALL
    };
    assert!(positive.contains(1e-300) && !positive.contains(0.0));
    let closed = ParameterRange {
        min: -1.0,
        max: 2.0,
        above_min: false,
    };
    for (x, inside) in [(-1.0, true), (2.0, true), (2.1, false), (-1.1, false)] {
        assert_eq!(closed.contains(x), inside, "{x}");
    }
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(!ParameterRange::ALL.contains(x), "{x}");
    }
}

#[test]
fn modes_are_coupled_by_full_matrices() {
    let coupled = |mass: &str, spring: &str| {
        let fields = format!(
            "#[body(mass = {mass})] a: Body<R2>,
             #[body(mass = [1, 1, 1], free)] b: Body<R3>,
             #[force(a, {spring})] f: ModalSpring,"
        );
        model("", &fields).coupled_modes()
    };
    assert_eq!(coupled("[1, 1]", "stiffness = [1, 1]"), 0);
    assert_eq!(coupled("[[2, 1], [1, 2]]", "stiffness = [1, 1]"), 2);
    assert_eq!(coupled("[1, 1]", "stiffness = [[2, 1], [1, 2]]"), 2);
    let damped = "stiffness = [1, 1], damping = [[2, 1], [1, 2]]";
    assert_eq!(coupled("[1, 1]", damped), 2);
}

#[test]
fn what_motion_depends_on_is_left_alone() {
    let whole = model(
        "gravity = -z",
        "#[body(mass = -1, inertia = [0, 0, 9], center = x)] #[start(position = y)] a: Body<SE3>,
         #[body(mass = [[0]])] b: Body<R1>,
         #[joint(ground, a)] j: Spherical,
         #[force(a, force = x)] f: Load,",
    );
    let alone = whole.constraints_alone();
    assert!(alone.forces.is_empty() && alone.joints.len() == 1);
    assert_eq!(
        alone.bodies[0].start.position,
        whole.bodies[0].start.position
    );
    for body in &alone.bodies {
        assert_eq!(whole.by_default(&body.mass), Some(1.0));
        assert!(body.mass_matrix.is_none());
        for (i, row) in body.inertia.iter().enumerate() {
            assert_eq!(row[i].value(), Some(1.0));
        }
        assert!(body.center.iter().all(crate::formula::Formula::is_zero));
    }
}
