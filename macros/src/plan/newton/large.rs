//! The Newton matrices of a large model: entries, where they are, and the eliminations that are
//! written out.

use std::collections::HashMap;

use super::{Blocks, Newton, Parts, Sigma, eliminated, matrix, scaled_multiplier};
use crate::expr::{Graph, Id, Node};
use crate::mechanics::Mechanics;
use crate::plan::Outputs;
use crate::plan::samples::Samples;

/// The Newton matrices of a large model.
#[derive(Debug)]
pub(crate) struct Large {
    /// Values in the equations of motion and in `B`.
    pub(crate) entries: Outputs,
    /// Values in the rows of `h B v`.
    pub(crate) hidden: Outputs,
    pub(crate) places: Places,
    /// Eliminations that are written out, with `entries` in the array `a` and `hidden` in `b`.
    pub(crate) eliminations: Vec<Newton>,
}

/// Row, column, and the number of the value, counted from one, with its sign.
pub(crate) type Place = (usize, usize, isize);

/// Where the values are.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) motion: Vec<Place>,
    pub(crate) jacobian: Vec<Place>,
    /// In `B`, of `fixed`.
    pub(crate) constant: Vec<Place>,
    /// Numbers.
    pub(crate) fixed: Vec<f64>,
    pub(crate) hidden: Vec<Place>,
    /// Of `D`, without values.
    pub(crate) damping: Vec<Place>,
    /// Whether the translations of direct products are in the axes of the bodies.
    pub(crate) turned: bool,
}

/// The formulations whose elimination is written out are the first `written_out` of index 3 and
/// index 2.
pub(in crate::plan) fn large(
    m: &mut Mechanics<'_>,
    parts: &Parts,
    samples: &Samples,
    written_out: usize,
) -> Large {
    let nv = m.model.dof();
    let blocks = Blocks::new(&mut m.geometry.graph, m.model, false);
    let kind = ("Index3", Sigma::Any);
    let mut a = matrix(m, parts, &blocks, kind, scaled_multiplier);
    let of_velocity = matrix(m, parts, &blocks, ("Index2", Sigma::Any), scaled_multiplier);
    let samples = [&a, &of_velocity].map(|a| samples.of(m.graph(), a));
    let g = m.graph();
    let (mut entries, mut hidden) = (Values::default(), Values::default());
    let mut constant = Values::default();
    for (row, line) in a.iter().enumerate() {
        for (column, entry) in line.iter().enumerate().take(nv) {
            match g.value(*entry) {
                Some(0.0) => {}
                Some(_) => constant.place(g, row - nv, column, *entry),
                None => entries.place(g, row, column, *entry),
            }
        }
    }
    for (row, line) in of_velocity[nv..].iter().enumerate() {
        for (column, entry) in line.iter().enumerate().take(nv) {
            if g.value(*entry).is_none() {
                hidden.place(g, row, column, *entry);
            }
        }
    }
    for (row, column, source) in &entries.places {
        let input = g.input("a", source.unsigned_abs() - 1);
        let input = if *source < 0 { g.neg(input) } else { input };
        a[*row][*column] = input;
        if *row >= nv {
            a[*column][*row] = input;
        }
    }
    let mut b = a.clone();
    for row in &mut b[nv..] {
        row.fill(g.zero());
    }
    for (row, column, source) in &hidden.places {
        let input = g.input("b", source.unsigned_abs() - 1);
        b[nv + row][*column] = if *source < 0 { g.neg(input) } else { input };
    }
    let kinds = [(kind, &a), (("Index2", Sigma::Any), &b)];
    let eliminations = kinds
        .iter()
        .zip(&samples)
        .take(written_out)
        .map(|((kind, a), samples)| eliminated(m, parts, samples, &blocks, *kind, a))
        .collect();
    let (motion, mut jacobian): (Vec<_>, Vec<_>) = entries
        .places
        .into_iter()
        .partition(|(row, _, _)| *row < nv);
    for (row, _, _) in &mut jacobian {
        *row -= nv;
    }
    let fixed = constant.ids.iter().filter_map(|id| m.graph().value(*id));
    let fixed = fixed.collect();
    let damping = parts
        .damping
        .iter()
        .map(|(row, column, _)| (*row, *column, 0));
    Large {
        entries: entries.ids,
        hidden: hidden.ids,
        places: Places {
            motion,
            jacobian,
            constant: constant.places,
            fixed,
            hidden: hidden.places,
            damping: damping.collect(),
            turned: !parts.rotations.is_empty(),
        },
        eliminations,
    }
}

/// Different values, up to their sign, and where they are.
#[derive(Default)]
struct Values {
    ids: Outputs,
    numbers: HashMap<Id, isize>,
    places: Vec<Place>,
}

impl Values {
    fn place(&mut self, g: &Graph, row: usize, column: usize, id: Id) {
        let (positive, sign) = match g.node(id) {
            Node::Neg(positive) => (positive, -1),
            _ => (id, 1),
        };
        let ids = &mut self.ids;
        let number = self.numbers.entry(positive).or_insert_with(|| {
            ids.push(positive);
            isize::try_from(ids.len()).expect("few values")
        });
        self.places.push((row, column, sign * *number));
    }
}
