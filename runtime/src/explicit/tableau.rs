//! Coefficients of explicit Runge-Kutta methods.

use crate::error::SolveError;

/// An explicit Runge-Kutta method, with embedded ones or without.
///
/// ```text
/// stage i:  sum_{j<i} a_ij k_j  at  c_i = sum_j a_ij         step:  sum_i b_i k_i
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tableau {
    /// Order of the method.
    pub order: u32,
    /// Rows of weights of the stages before, the first one empty.
    pub a: Vec<Vec<f64>>,
    /// Weights of the step.
    pub b: Vec<f64>,
    /// Differences of `b` to the weights of embedded methods: none, one, or two as in the pair of order 8.
    pub errors: Vec<Vec<f64>>,
    /// Order of the embedded method.
    pub error_order: u32,
}

impl Tableau {
    /// A method without an embedded one.
    pub fn new(order: u32, a: &[&[f64]], b: &[f64]) -> Self {
        Self {
            order,
            a: a.iter().map(|row| row.to_vec()).collect(),
            b: b.to_vec(),
            errors: Vec::new(),
            error_order: 0,
        }
    }

    /// With the weights of an embedded method.
    #[must_use]
    pub fn embedded(mut self, order: u32, weights: &[f64]) -> Self {
        let difference = self.b.iter().zip(weights).map(|(b, w)| b - w);
        self.errors.push(difference.collect());
        self.error_order = order;
        self
    }

    /// `c_i`, the times of the stages.
    pub fn times(&self) -> impl Iterator<Item = f64> {
        self.a.iter().map(|row| row.iter().sum())
    }

    /// Whether the last stage is the end of the step.
    pub(crate) fn ends_at_last_stage(&self) -> bool {
        let last = self.a.last();
        last.is_some_and(|row| self.b.split_last() == Some((&0.0, row)))
    }

    /// Fails unless the method is explicit and consistent.
    pub(crate) fn check(&self) -> Result<(), SolveError> {
        let stages = self.a.len();
        let wrong = |option, value, expected| {
            Err(SolveError::InvalidOption {
                option,
                value,
                expected,
            })
        };
        #[expect(clippy::cast_precision_loss, reason = "a few stages")]
        for (i, row) in self.a.iter().enumerate() {
            if row.len() != i {
                let value = row.len() as f64;
                return wrong("length of a row of a tableau", value, "one weight for each stage before it");
            }
        }
        let weights = core::iter::once(&self.b).chain(&self.errors);
        for (weights, sum) in weights.zip([1.0, 0.0, 0.0]) {
            if weights.len() != stages {
                #[expect(clippy::cast_precision_loss, reason = "a few stages")]
                let value = weights.len() as f64;
                return wrong("number of weights of a tableau", value, "one for each stage");
            }
            let found: f64 = weights.iter().sum();
            if !((found - sum).abs() < 1e-12) {
                return wrong(
                    "sum of the weights of a tableau",
                    found,
                    if sum == 1.0 { "1" } else { "0, as differences of weights" },
                );
            }
        }
        Ok(())
    }

    /// Euler's method.
    pub fn euler() -> Self {
        Self::new(1, &[&[]], &[1.0])
    }

    /// Heun's method of order 2.
    pub fn heun() -> Self {
        Self::new(2, &[&[], &[1.0]], &[0.5, 0.5])
    }

    /// Kutta's method of order 3.
    pub fn kutta3() -> Self {
        let a: [&[f64]; 3] = [&[], &[0.5], &[-1.0, 2.0]];
        Self::new(3, &a, &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0])
    }

    /// The classical method of order 4.
    pub fn classical4() -> Self {
        let a: [&[f64]; 4] = [&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]];
        Self::new(4, &a, &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0])
    }

    /// The pair 3(2) of P. Bogacki, L. F. Shampine, Appl. Math. Lett. 2 (1989).
    pub fn bogacki_shampine3() -> Self {
        let b = [2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0, 0.0];
        let a: [&[f64]; 4] = [&[], &[0.5], &[0.0, 0.75], &b[..3]];
        Self::new(3, &a, &b).embedded(2, &[7.0 / 24.0, 0.25, 1.0 / 3.0, 0.125])
    }

    /// The pair 5(4) of J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980).
    pub fn dormand_prince5() -> Self {
        let b = [
            35.0 / 384.0,
            0.0,
            500.0 / 1113.0,
            125.0 / 192.0,
            -2187.0 / 6784.0,
            11.0 / 84.0,
            0.0,
        ];
        let a: [&[f64]; 7] = [
            &[],
            &[0.2],
            &[3.0 / 40.0, 9.0 / 40.0],
            &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
            &[
                19372.0 / 6561.0,
                -25360.0 / 2187.0,
                64448.0 / 6561.0,
                -212.0 / 729.0,
            ],
            &[
                9017.0 / 3168.0,
                -355.0 / 33.0,
                46732.0 / 5247.0,
                49.0 / 176.0,
                -5103.0 / 18656.0,
            ],
            &b[..6],
        ];
        let embedded = [
            5179.0 / 57600.0,
            0.0,
            7571.0 / 16695.0,
            393.0 / 640.0,
            -92097.0 / 339_200.0,
            187.0 / 2100.0,
            1.0 / 40.0,
        ];
        Self::new(5, &a, &b).embedded(4, &embedded)
    }

    /// A method of order 6 with seven stages, J. C. Butcher, J. Aust. Math. Soc. 4 (1964).
    pub fn butcher6() -> Self {
        let a: [&[f64]; 7] = [
            &[],
            &[1.0 / 3.0],
            &[0.0, 2.0 / 3.0],
            &[1.0 / 12.0, 1.0 / 3.0, -1.0 / 12.0],
            &[-1.0 / 16.0, 9.0 / 8.0, -3.0 / 16.0, -3.0 / 8.0],
            &[0.0, 9.0 / 8.0, -3.0 / 8.0, -3.0 / 4.0, 0.5],
            &[
                9.0 / 44.0,
                -9.0 / 11.0,
                63.0 / 44.0,
                18.0 / 11.0,
                0.0,
                -16.0 / 11.0,
            ],
        ];
        let b = [
            11.0 / 120.0,
            0.0,
            27.0 / 40.0,
            27.0 / 40.0,
            -4.0 / 15.0,
            -4.0 / 15.0,
            11.0 / 120.0,
        ];
        Self::new(6, &a, &b)
    }
}
