//! Forces on modal coordinates `x`.
//!
//! ```text
//! spring    g = K x + D x'     potential 1/2 x^T K x
//! load      g = -f             potential -f . x, if f is constant
//! ```

use super::force::is_constant;
use crate::formula::Formula;
use crate::geometry::{Geometry, Scalar};
use crate::model::{BodyId, ForceKind, FormulaMatrix};

/// What a force on modal coordinates adds to `g`: rows with scalars; nothing if it is not one.
pub(super) fn generalized(g: &mut Geometry<'_>, kind: &ForceKind) -> Option<Vec<(usize, Scalar)>> {
    let components = match kind {
        ForceKind::ModalSpring {
            body,
            stiffness,
            damping,
            ..
        } => {
            let (x, motion) = (coordinates(g, *body), g.motion("v"));
            let rates: Vec<Scalar> = x.iter().map(|x| g.scalar_derivative(*x, &motion)).collect();
            (0..x.len())
                .map(|i| {
                    let mut terms = products(g, &stiffness[i], &x);
                    terms.extend(products(g, &damping[i], &rates));
                    g.sum(terms)
                })
                .collect()
        }
        ForceKind::ModalLoad { force, .. } => {
            let minus = g.constant_number(-1.0);
            let component = |formula| {
                let force = g.formula(formula);
                g.product(minus, force)
            };
            force.iter().map(component).collect::<Vec<Scalar>>()
        }
        _ => return None,
    };
    let first = g.model.body(kind.modes()?).velocity;
    let zero = g.constant_number(0.0);
    let rows = (first..).zip(components);
    Some(rows.filter(|(_, component)| *component != zero).collect())
}

/// Potential energy, where there is one.
pub(super) fn potential(g: &mut Geometry<'_>, kind: &ForceKind) -> Option<Scalar> {
    match kind {
        ForceKind::ModalSpring {
            body, stiffness, ..
        } => {
            let x = coordinates(g, *body);
            let efforts = times(g, stiffness, &x);
            let twice = g.sum(efforts.into_iter().zip(x).collect());
            let half = g.constant_number(0.5);
            Some(g.product(half, twice))
        }
        ForceKind::ModalLoad { body, force } if force.iter().all(is_constant) => {
            let x = coordinates(g, *body);
            let terms = products(g, force, &x);
            let (minus, work) = (g.constant_number(-1.0), g.sum(terms));
            Some(g.product(minus, work))
        }
        _ => None,
    }
}

fn coordinates(g: &mut Geometry<'_>, body: BodyId) -> Vec<Scalar> {
    let n = g.model.body(body).group.dof();
    (0..n).map(|i| g.mode(body, i)).collect()
}

/// Factors that are not zero, with what they multiply.
fn products(g: &mut Geometry<'_>, factors: &[Formula], x: &[Scalar]) -> Vec<(Scalar, Scalar)> {
    let pairs = factors.iter().zip(x);
    let pairs = pairs.filter(|(factor, _)| !factor.is_zero());
    pairs.map(|(factor, x)| (g.formula(factor), *x)).collect()
}

/// `A x`.
fn times(g: &mut Geometry<'_>, matrix: &FormulaMatrix, x: &[Scalar]) -> Vec<Scalar> {
    let row = |row: &Vec<Formula>| {
        let terms = products(g, row, x);
        g.sum(terms)
    };
    matrix.iter().map(row).collect()
}
