//! Small dense linear algebra for the checks.

/// Rows whose new part is this small against the longest row depend on those before.
const RANK_TOLERANCE: f64 = 1e-9;

/// An orthonormal basis of the rows of a matrix, by Gram and Schmidt in the order of the rows.
#[derive(Clone, Debug)]
pub(super) struct RowBasis {
    /// Orthonormal vectors.
    vectors: Vec<Vec<f64>>,
    /// The rows that they came from.
    rows: Vec<usize>,
    /// Rows as combinations of the vectors, lower triangular.
    factors: Vec<Vec<f64>>,
    /// Rows that depend on those before.
    pub(super) dependent: Vec<usize>,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl RowBasis {
    pub(super) fn new(matrix: &[Vec<f64>]) -> Self {
        let mut basis = Self {
            vectors: Vec::new(),
            rows: Vec::new(),
            factors: Vec::new(),
            dependent: Vec::new(),
        };
        let longest = matrix.iter().map(|row| dot(row, row)).fold(0.0, f64::max);
        let longest = longest.sqrt();
        for (index, row) in matrix.iter().enumerate() {
            let mut rest = row.clone();
            let mut factors = vec![0.0; basis.vectors.len()];
            // Twice is enough for orthogonality to rounding errors.
            for _ in 0..2 {
                for (vector, factor) in basis.vectors.iter().zip(&mut factors) {
                    let part = dot(vector, &rest);
                    *factor += part;
                    for (x, v) in rest.iter_mut().zip(vector) {
                        *x -= part * v;
                    }
                }
            }
            let left = dot(&rest, &rest).sqrt();
            if left <= RANK_TOLERANCE * longest {
                basis.dependent.push(index);
                continue;
            }
            factors.push(left);
            basis.vectors.push(rest.iter().map(|x| x / left).collect());
            basis.rows.push(index);
            basis.factors.push(factors);
        }
        basis
    }

    pub(super) fn rank(&self) -> usize {
        self.rows.len()
    }

    /// The shortest solution of the independent rows of `A x = right`.
    pub(super) fn shortest(&self, right: &[f64], columns: usize) -> Vec<f64> {
        let mut x = vec![0.0; columns];
        let mut coordinates: Vec<f64> = Vec::new();
        for ((row, factors), vector) in self.rows.iter().zip(&self.factors).zip(&self.vectors) {
            let (last, before) = factors.split_last().expect("a factor for each vector");
            let coordinate = (right[*row] - dot(before, &coordinates)) / last;
            for (x, v) in x.iter_mut().zip(vector) {
                *x += coordinate * v;
            }
            coordinates.push(coordinate);
        }
        x
    }
}

/// Eigenvalues of a symmetric matrix, ascending, by Jacobi's rotations.
pub(super) fn eigenvalues(mut a: [[f64; 3]; 3]) -> [f64; 3] {
    for _ in 0..30 {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            if a[i][j] == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * a[i][j]).atan2(a[i][i] - a[j][j]);
            let (s, c) = angle.sin_cos();
            for k in 0..3 {
                let (x, y) = (a[k][i], a[k][j]);
                (a[k][i], a[k][j]) = (c * x + s * y, c * y - s * x);
            }
            for k in 0..3 {
                let (x, y) = (a[i][k], a[j][k]);
                (a[i][k], a[j][k]) = (c * x + s * y, c * y - s * x);
            }
        }
    }
    let mut values = [a[0][0], a[1][1], a[2][2]];
    values.sort_by(f64::total_cmp);
    values
}

#[cfg(test)]
mod tests {
    use super::{RowBasis, eigenvalues};

    #[test]
    fn dependent_rows_are_found_in_order() {
        let matrix = [
            vec![1.0, 2.0, 0.0, 0.5],
            vec![0.0, 1.0, -1.0, 0.0],
            vec![1.0, 3.0, -1.0, 0.5],
            vec![0.0, 0.0, 0.0, 2.0],
        ];
        let basis = RowBasis::new(&matrix);
        assert_eq!((basis.rank(), &basis.dependent[..]), (3, &[2][..]));
        let right = [1.0, 2.0, 3.0, 4.0];
        let x = basis.shortest(&right, 4);
        for (row, right) in matrix.iter().zip(right) {
            let left: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((left - right).abs() < 1e-14, "{left} {right}");
        }
        // The shortest solution has no part that the rows do not see.
        let unseen = [-2.0, 1.0, 1.0, 0.0];
        let along: f64 = unseen.iter().zip(&x).map(|(n, x)| n * x).sum();
        assert!(along.abs() < 1e-14, "{along}");
    }

    #[test]
    fn eigenvalues_of_a_known_matrix() {
        let values = eigenvalues([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]]);
        let root = 2.0_f64.sqrt();
        for (value, exact) in values.iter().zip([2.0 - root, 2.0, 2.0 + root]) {
            assert!((value - exact).abs() < 1e-14, "{value} {exact}");
        }
    }
}
