//! The mass matrix as a measure of velocities.

use super::motion::Point;
use crate::mechanics::Mechanics;

/// `L` of `M = L L^T`, body by body and only for velocities that are not declared.
#[derive(Clone, Debug)]
pub(super) struct Metric {
    /// The places of each body in a velocity, with the rows of its factor.
    blocks: Vec<(Vec<usize>, Vec<Vec<f64>>)>,
    declared: Vec<bool>,
}

impl Metric {
    pub(super) fn new(mechanics: &mut Mechanics<'_>, point: &Point, declared: &[bool]) -> Self {
        let masses = mechanics.mass.clone();
        let bodies = mechanics.model.bodies.iter().zip(&masses);
        let bodies: Vec<_> = bodies.map(|(body, mass)| (body.velocity, mass)).collect();
        let mut blocks = Vec::new();
        for (first, mass) in bodies {
            let free: Vec<usize> = (0..mass.len()).filter(|i| !declared[first + i]).collect();
            let rows = free.iter().map(|i| {
                let entries: Vec<_> = free.iter().map(|j| mass[*i][*j]).collect();
                point.evaluate(mechanics, &entries)
            });
            let rows: Vec<Vec<f64>> = rows.collect();
            // Masses that are not known yet: whether a start exists does not depend on them.
            let factor = cholesky(&rows).unwrap_or_else(|| unit(free.len()));
            blocks.push((free.iter().map(|i| first + i).collect(), factor));
        }
        Self {
            blocks,
            declared: declared.to_vec(),
        }
    }

    /// `L^-1 row`, with zeros where a velocity is declared.
    pub(super) fn divide(&self, row: &mut [f64]) {
        for (x, declared) in row.iter_mut().zip(&self.declared) {
            if *declared {
                *x = 0.0;
            }
        }
        for (places, factor) in &self.blocks {
            for (i, place) in places.iter().enumerate() {
                let before = places[..i].iter().zip(&factor[i]);
                let known: f64 = before.map(|(place, l)| l * row[*place]).sum();
                row[*place] = (row[*place] - known) / factor[i][i];
            }
        }
    }

    /// `L^-T x`.
    pub(super) fn divide_transposed(&self, x: &mut [f64]) {
        for (places, factor) in &self.blocks {
            for (i, place) in places.iter().enumerate().rev() {
                let after = places.iter().enumerate().skip(i + 1);
                let known: f64 = after.map(|(k, place)| factor[k][i] * x[*place]).sum();
                x[*place] = (x[*place] - known) / factor[i][i];
            }
        }
    }
}

fn unit(n: usize) -> Vec<Vec<f64>> {
    let row = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
    (0..n).map(row).collect()
}

/// `L` of a positive definite matrix.
fn cholesky(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            let rest = matrix[i][j] - known;
            if i != j {
                l[i][j] = rest / l[j][j];
            } else if rest > 0.0 && rest.is_finite() {
                l[i][i] = rest.sqrt();
            } else {
                return None;
            }
        }
    }
    Some(l)
}

#[cfg(test)]
mod tests {
    use super::{Metric, cholesky};

    /// `L^-1` and `L^-T` undo the product with a known factor; declared places stay out.
    #[test]
    fn divided_by_a_known_factor() {
        let l = [[2.0, 0.0, 0.0], [0.5, 1.0, 0.0], [-1.0, 0.25, 3.0]];
        let product = |i: usize, j: usize| (0..3).map(|k| l[i][k] * l[j][k]).sum();
        let matrix: Vec<Vec<f64>> = (0..3)
            .map(|i| (0..3).map(|j| product(i, j)).collect())
            .collect();
        let factor = cholesky(&matrix).unwrap();
        assert_eq!(factor, l.map(|row| row.to_vec()));
        let metric = Metric {
            blocks: vec![(vec![0, 2, 3], factor)],
            declared: vec![false, true, false, false],
        };
        // L (1, 2, 3) and L^T (1, 2, 3).
        let mut row = [2.0, 7.0, 2.5, 8.5];
        metric.divide(&mut row);
        assert_eq!(row, [1.0, 0.0, 2.0, 3.0]);
        let mut x = [0.0, 5.0, 2.75, 9.0];
        metric.divide_transposed(&mut x);
        assert_eq!(x, [1.0, 5.0, 2.0, 3.0]);
        assert!(cholesky(&[vec![1.0, 2.0], vec![2.0, 1.0]]).is_none());
        assert!(cholesky(&[vec![f64::NAN]]).is_none());
    }
}
