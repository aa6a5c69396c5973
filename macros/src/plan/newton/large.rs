//! The Newton matrices of a large model: entries, where they are, and the eliminations that are
//! written out.

use std::collections::HashMap;
use std::ops::Range;

use super::{Blocks, Newton, Parts, Sigma, eliminated, matrix, scaled_multiplier};
use crate::elimination::Matrix;
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
    /// Values in the columns of `eta`.
    pub(crate) eta: Outputs,
    pub(crate) places: Places,
    /// Eliminations that are written out, with `entries` in the array `a`, `hidden` in `b` and
    /// `eta` in `e`.
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
    /// In the equations of motion and in the rows of `h B v`, these below the former.
    pub(crate) eta: Vec<Place>,
    /// Whether the translations of direct products are in the axes of the bodies.
    pub(crate) turned: bool,
}

/// The formulations whose elimination is written out are the first `written_out` of index 3,
/// index 2 and stabilized index 2.
pub(in crate::plan) fn large(
    m: &mut Mechanics<'_>,
    parts: &Parts,
    samples: &Samples,
    written_out: usize,
) -> Large {
    let (nv, n) = (m.model.dof(), m.model.dof() + m.phi.len());
    let blocks = Blocks::new(&mut m.geometry.graph, m.model, false);
    let kind = |formulation| (formulation, Sigma::Any);
    let stabilized = kind("StabilizedIndex2");
    let mut whole = matrix(m, parts, &blocks, stabilized, scaled_multiplier);
    let index3 = |whole: &Matrix| part(whole, 0..n, n);
    let index2 = |whole: &Matrix| [part(whole, 0..nv, n), part(whole, n..whole.len(), n)].concat();
    let of_parts = [index3(&whole), index2(&whole), whole.clone()];
    let of_parts = of_parts.map(|a| samples.of(m.graph(), &a));
    let g = m.graph();
    let [mut entries, mut hidden, mut eta] = ["a", "b", "e"].map(Values::new);
    let mut constant = Values::new("");
    for row in 0..whole.len() {
        for column in (0..nv).chain(n..whole.len()) {
            let id = whole[row][column];
            match g.value(id) {
                Some(0.0) => continue,
                Some(_) => {
                    constant.place(g, row - nv, column, id);
                    continue;
                }
                None => {}
            }
            whole[row][column] = if column >= n {
                let below = if row < n { 0 } else { n - nv };
                eta.place(g, row - below, column - n, id)
            } else if row >= n {
                hidden.place(g, row - n, column, id)
            } else {
                entries.place(g, row, column, id)
            };
            if (nv..n).contains(&row) {
                whole[column][row] = whole[row][column];
            }
        }
    }
    let forms = [
        (kind("Index3"), index3(&whole)),
        (kind("Index2"), index2(&whole)),
        (stabilized, whole),
    ];
    let eliminations = forms
        .iter()
        .zip(&of_parts)
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
    Large {
        entries: entries.ids,
        hidden: hidden.ids,
        eta: eta.ids,
        places: Places {
            motion,
            jacobian,
            constant: constant.places,
            fixed,
            hidden: hidden.places,
            eta: eta.places,
            turned: !parts.rotations.is_empty(),
        },
        eliminations,
    }
}

/// Rows of the first columns.
fn part(a: &Matrix, rows: Range<usize>, columns: usize) -> Matrix {
    let rows = a[rows].iter();
    rows.map(|row| row[..columns].to_vec()).collect()
}

/// Different values, up to their sign, and where they are.
struct Values {
    array: &'static str,
    ids: Outputs,
    numbers: HashMap<Id, isize>,
    places: Vec<Place>,
}

impl Values {
    fn new(array: &'static str) -> Self {
        Self {
            array,
            ids: Vec::new(),
            numbers: HashMap::new(),
            places: Vec::new(),
        }
    }

    /// One more place of a value; returns it as an input.
    fn place(&mut self, g: &mut Graph, row: usize, column: usize, id: Id) -> Id {
        let (positive, sign) = match g.node(id) {
            Node::Neg(positive) => (positive, -1),
            _ => (id, 1),
        };
        let ids = &mut self.ids;
        let number = *self.numbers.entry(positive).or_insert_with(|| {
            ids.push(positive);
            isize::try_from(ids.len()).expect("few values")
        });
        self.places.push((row, column, sign * number));
        let input = g.input(self.array, number.unsigned_abs() - 1);
        if sign < 0 { g.neg(input) } else { input }
    }
}
