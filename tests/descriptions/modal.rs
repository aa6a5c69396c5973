//! What is wrong with modal coordinates is refused.

use super::refused::{named, refuse, refuse_number};
use super::{reads, rich, tridiagonal};
use polhode::generic::description::{BodyQuantity, Description, ForceKind, Formula};
use polhode::generic::{GenericSystem, InvalidDescription};
use polhode::lie::GroupKind;

/// A matrix.
type Rows = Vec<Vec<f64>>;

/// Mass matrices: their body, their size, their numbers.
#[test]
fn mass_matrices() {
    refuse(&["mass matrix", "unknown body `mods`", "`modes`"], |d| {
        d.mass_matrices[0].body = "mods".to_owned();
    });
    refuse(&["mass matrix", "`modes`", "twice"], |d| {
        d.mass_matrices.push(d.mass_matrices[0].clone());
    });
    refuse(&["body `top`", "SE3", "mass matrix"], |d| {
        d.mass_matrices[0].body = "top".to_owned();
    });
    refuse(&["the mass matrix of body `modes`", "4", "5"], |d| {
        d.mass_matrices[0].matrix.truncate(4);
    });
    refuse(&["a row of the mass matrix", "`modes`", "6", "5"], |d| {
        d.mass_matrices[0].matrix[3].push(1.0);
    });
    for bad in [f64::NAN, f64::INFINITY] {
        refuse_number("mass matrix", bad, |d| {
            d.mass_matrices[0].matrix[3][3] = bad;
        });
    }
    refuse_number("asymmetry of the mass matrix", 0.25, |d| {
        d.mass_matrices[0].matrix[4][0] = 0.25;
    });
    // A coordinate without mass, and one with a negative mass.
    for least in [0.0, -2.0] {
        refuse_number("smallest eigenvalue of the mass matrix", least, |d| {
            for (i, row) in d.mass_matrices[0].matrix.iter_mut().enumerate() {
                row.fill(0.0);
                row[i] = if i == 2 { least } else { 1.0 };
            }
        });
    }
}

/// Forces on modal coordinates: their body, their sizes, their numbers, what they read.
#[test]
fn modal_forces() {
    let spring = |d: &mut Description, change: &dyn Fn(&mut Rows, &mut Rows)| {
        let ForceKind::ModalSpring {
            stiffness, damping, ..
        } = named(d, "modal spring")
        else {
            panic!("a modal spring");
        };
        change(stiffness, damping);
    };
    let item = "force `modal spring`";
    refuse(&["stiffness", item, "4", "5"], |d| {
        spring(d, &|k, _| k.truncate(4));
    });
    refuse(&["a row of the damping", item, "0", "5"], |d| {
        spring(d, &|_, damping| damping[0].clear());
    });
    refuse_number("asymmetry of the stiffness", 0.5, |d| {
        spring(d, &|k, _| k[4][0] = 0.5);
    });
    let negative = |matrix: &mut Rows| {
        for (i, row) in matrix.iter_mut().enumerate() {
            row.fill(0.0);
            row[i] = if i == 4 { -0.5 } else { 3.0 };
        }
    };
    refuse_number("smallest eigenvalue of the stiffness", -0.5, |d| {
        spring(d, &|k, _| negative(k));
    });
    refuse_number("smallest eigenvalue of the damping", -0.5, |d| {
        spring(d, &|_, damping| negative(damping));
    });
    for (name, body, group) in [
        ("modal spring", "top", "SE3"),
        ("modal load", "other", "S3sR3"),
    ] {
        let item = format!("force `{name}`");
        let set = |to: &'static str| {
            move |d: &mut Description| match named(d, name) {
                ForceKind::ModalSpring { body, .. } | ForceKind::ModalLoad { body, .. } => {
                    to.clone_into(body);
                }
                _ => panic!("a modal force"),
            }
        };
        refuse(&[&item, group, "R4 or more", "mass matrix"], set(body));
        refuse(&[&item, "unknown body `mode`", "`modes`"], set("mode"));
    }
    let load = |change: fn(&mut Vec<Formula>)| {
        move |d: &mut Description| match named(d, "modal load") {
            ForceKind::ModalLoad { force, .. } => change(force),
            _ => panic!("a modal load"),
        }
    };
    let set = load(|force| force.truncate(3));
    refuse(&["force of force `modal load`", "3", "5"], set);
    let set = load(|force| force[0] = reads("modes", 5));
    let error = refuse(&["force `modal load`", "component 5", "`modes`", "5"], set);
    assert!(
        matches!(error, InvalidDescription::Component { count: 5, .. }),
        "{error}"
    );
    let set = load(|force| {
        force[0] = Formula::Body {
            body: "modes".to_owned(),
            quantity: BodyQuantity::AngularVelocity,
            axis: 0,
        };
    });
    refuse(&["force `modal load`", "R5", "angular velocity"], set);
}

/// A semidefinite stiffness and no damping are accepted, and three coordinates with a mass matrix.
#[test]
fn modes_that_are_right() {
    let mut description = rich();
    description.mass_matrices[0].matrix = tridiagonal(3, 1.0);
    description.bodies[2].group = GroupKind::Rn(3);
    description.bodies[2].start.position.truncate(3);
    let ones = vec![vec![1.0; 3]; 3];
    *named(&mut description, "modal spring") = ForceKind::ModalSpring {
        body: "modes".to_owned(),
        stiffness: ones,
        damping: Vec::new(),
    };
    *named(&mut description, "modal load") = ForceKind::ModalLoad {
        body: "modes".to_owned(),
        force: vec![reads("modes", 2), 0.0.into(), 1.0.into()],
    };
    GenericSystem::new(description).unwrap();
}
