//! Coefficients of the half-explicit Runge-Kutta methods.
//!
//! Row `i` of `a` gives stage `i` from the derivatives of the stages before it,
//!
//! ```text
//! Theta_i = h sum_{j<i} a_ij Theta'_j        V_i = v_n + h sum_{j<i} a_ij V'_j
//! ```
//!
//! at the time `t_n + c_i h`. Row `s + 1` gives the result of the step. In the
//! methods of order 4 and 5 one more row follows: it has no other purpose than to
//! determine the multipliers of stage `s + 1`, which is the first stage of the
//! next step. The new multipliers are `lambda_{n+1} = sum_i d_i Lambda_i`.
//!
//! Sources: order 2 to 4 and the setting in Lie groups: D. Tumiotto, M. Arnold,
//! Multibody Syst. Dyn. (2024), doi 10.1007/s11044-024-10002-8. Order 5: the pair
//! of J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980), with the last
//! row of HEDOP5, M. Arnold, BIT 38 (1998).

/// Largest number of stages with a derivative.
pub(crate) const STAGES: usize = 7;

/// Coefficients of one method; unused places hold zeros.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tableau {
    /// Row `s + 1` is the result of the step.
    pub(crate) s: usize,
    /// Stages that get a derivative, `s` or `s + 1`.
    pub(crate) s_bar: usize,
    /// Weights of the derivatives, the first row (all zero) included.
    pub(crate) a: [[f64; STAGES]; STAGES + 1],
    /// Times of the stages.
    pub(crate) c: [f64; STAGES + 1],
    /// Weights of the multipliers.
    pub(crate) d: [f64; STAGES],
    /// Main minus embedded weights, zero without an embedded method.
    pub(crate) e: [f64; STAGES],
}

impl Tableau {
    /// True if stage `s + 1` is the first stage of the next step.
    pub(crate) const fn first_same_as_last(&self) -> bool {
        self.s_bar > self.s
    }

    /// The first `N` weights of a row, counted from one.
    pub(crate) const fn row<const N: usize>(&self, i: usize) -> [f64; N] {
        let mut row = [0.0; N];
        let mut j = 0;
        while j < N {
            row[j] = self.a[i - 1][j];
            j += 1;
        }
        row
    }
}

/// The method of order 2, 3, 4 or 5.
pub(crate) const fn of_order(p: usize) -> Tableau {
    match p {
        2 => ORDER_2,
        3 => ORDER_3,
        4 => ORDER_4,
        _ => ORDER_5,
    }
}

const fn pad<const N: usize>(values: &[f64]) -> [f64; N] {
    let mut padded = [0.0; N];
    let mut j = 0;
    while j < values.len() {
        padded[j] = values[j];
        j += 1;
    }
    padded
}

const fn rows(values: &[&[f64]]) -> [[f64; STAGES]; STAGES + 1] {
    let mut rows = [[0.0; STAGES]; STAGES + 1];
    let mut i = 0;
    while i < values.len() {
        rows[i] = pad(values[i]);
        i += 1;
    }
    rows
}

const fn minus(x: [f64; STAGES], y: [f64; STAGES]) -> [f64; STAGES] {
    let mut difference = [0.0; STAGES];
    let mut j = 0;
    while j < STAGES {
        difference[j] = x[j] - y[j];
        j += 1;
    }
    difference
}

const ORDER_2: Tableau = Tableau {
    s: 2,
    s_bar: 2,
    a: rows(&[&[], &[1.0], &[1.0 / 2.0, 1.0 / 2.0]]),
    c: pad(&[0.0, 1.0, 1.0]),
    d: pad(&[1.0 / 2.0, 1.0 / 2.0]),
    e: [0.0; STAGES],
};

const ORDER_3: Tableau = Tableau {
    s: 3,
    s_bar: 3,
    a: rows(&[
        &[],
        &[1.0 / 2.0],
        &[2.0 / 9.0, 4.0 / 9.0],
        &[1.0 / 4.0, 0.0, 3.0 / 4.0],
    ]),
    c: pad(&[0.0, 1.0 / 2.0, 2.0 / 3.0, 1.0]),
    d: pad(&[0.0, -2.0, 3.0]),
    e: [0.0; STAGES],
};

const SQRT_3: f64 = 1.732_050_807_568_877_2;

const ORDER_4: Tableau = Tableau {
    s: 4,
    s_bar: 5,
    a: rows(&[
        &[],
        &[1.0],
        &[3.0 / 8.0, 1.0 / 8.0],
        &[-1.0 / 2.0, -1.0 / 2.0, 2.0],
        &[1.0 / 6.0, 0.0, 2.0 / 3.0, 1.0 / 6.0],
        &[
            1.0 / 6.0 - SQRT_3 / 108.0,
            0.0,
            1.0 / 3.0 - 4.0 * SQRT_3 / 27.0,
            -7.0 * SQRT_3 / 108.0,
            SQRT_3 / 18.0,
        ],
    ]),
    c: pad(&[0.0, 1.0, 1.0 / 2.0, 1.0, 1.0, 1.0 / 2.0 - SQRT_3 / 6.0]),
    d: pad(&[0.0, 0.0, 0.0, 0.0, 1.0]),
    e: [0.0; STAGES],
};

const WEIGHTS_5: [f64; STAGES] = [
    35.0 / 384.0,
    0.0,
    500.0 / 1113.0,
    125.0 / 192.0,
    -2187.0 / 6784.0,
    11.0 / 84.0,
    0.0,
];

const EMBEDDED_5: [f64; STAGES] = [
    5179.0 / 57_600.0,
    0.0,
    7571.0 / 16_695.0,
    393.0 / 640.0,
    -92_097.0 / 339_200.0,
    187.0 / 2100.0,
    1.0 / 40.0,
];

const ORDER_5: Tableau = Tableau {
    s: 6,
    s_bar: 7,
    a: rows(&[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[
            19_372.0 / 6561.0,
            -25_360.0 / 2187.0,
            64_448.0 / 6561.0,
            -212.0 / 729.0,
        ],
        &[
            9017.0 / 3168.0,
            -355.0 / 33.0,
            46_732.0 / 5247.0,
            49.0 / 176.0,
            -5103.0 / 18_656.0,
        ],
        &WEIGHTS_5,
        &[
            -18_611_506_045_861.0 / 19_738_176_307_200.0,
            59_332_529.0 / 14_479_296.0,
            -2_509_441_598_627.0 / 893_904_224_850.0,
            2_763_523_204_159.0 / 3_289_696_051_200.0,
            -41_262_869_588_913.0 / 116_235_927_142_400.0,
            46_310_205_821.0 / 287_848_404_480.0,
            -3280.0 / 75_413.0,
        ],
    ]),
    c: [
        0.0,
        1.0 / 5.0,
        3.0 / 10.0,
        4.0 / 5.0,
        8.0 / 9.0,
        1.0,
        1.0,
        19.0 / 20.0,
    ],
    d: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    e: minus(WEIGHTS_5, EMBEDDED_5),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// A rooted tree: its subtrees.
    struct Tree(Vec<Tree>);

    impl Tree {
        fn order(&self) -> i32 {
            1 + self.0.iter().map(Tree::order).sum::<i32>()
        }

        /// `gamma`: the product of the orders of all subtrees.
        fn density(&self) -> f64 {
            f64::from(self.order()) * self.0.iter().map(Tree::density).product::<f64>()
        }

        /// Elementary weight of the tree at stage `i`.
        fn weight(&self, table: &Tableau, i: usize) -> f64 {
            let branch = |tree: &Tree| {
                (0..STAGES)
                    .map(|j| table.a[i][j] * tree.weight(table, j))
                    .sum::<f64>()
            };
            self.0.iter().map(branch).product()
        }
    }

    /// All rooted trees of an order, each once per ordering of its subtrees.
    fn trees(order: usize) -> Vec<Tree> {
        forests(order - 1).into_iter().map(Tree).collect()
    }

    fn forests(nodes: usize) -> Vec<Vec<Tree>> {
        if nodes == 0 {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for first in 1..=nodes {
            for index in 0..trees(first).len() {
                for mut rest in forests(nodes - first) {
                    rest.push(trees(first).swap_remove(index));
                    all.push(rest);
                }
            }
        }
        all
    }

    /// Largest defect of the conditions `sum_i b_i Phi_i(tree) = 1 / gamma(tree)` of an order.
    fn defect(table: &Tableau, b: &[f64; STAGES], order: usize) -> f64 {
        trees(order)
            .iter()
            .map(|tree| {
                let sum: f64 = (0..STAGES).map(|i| b[i] * tree.weight(table, i)).sum();
                (sum - 1.0 / tree.density()).abs()
            })
            .fold(0.0, f64::max)
    }

    fn check_order(table: &Tableau, b: &[f64; STAGES], p: usize) {
        for order in 1..=p {
            let defect = defect(table, b, order);
            assert!(defect < 1e-14, "order {order} of {p}: {defect:e}");
        }
        let next = defect(table, b, p + 1);
        assert!(next > 1e-5, "order {p} is also order {}: {next:e}", p + 1);
    }

    #[test]
    fn there_are_as_many_trees_as_there_are_orderings() {
        // Catalan numbers: 1, 1, 2, 5, 14, 42.
        let counts: Vec<usize> = (1..=6).map(|order| trees(order).len()).collect();
        assert_eq!(counts, [1, 1, 2, 5, 14, 42]);
    }

    #[test]
    fn rows_sum_to_the_times_of_the_stages() {
        for p in 2..=5 {
            let table = of_order(p);
            for (i, row) in table.a.iter().enumerate() {
                let sum: f64 = row.iter().sum();
                assert!((sum - table.c[i]).abs() < 1e-14, "order {p}, row {i}");
            }
            assert!((table.d.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn every_method_has_its_order_and_no_more() {
        for p in 2..=5 {
            let table = of_order(p);
            check_order(&table, &table.a[table.s], p);
        }
    }

    #[test]
    fn the_embedded_method_has_order_4_and_no_more() {
        check_order(&ORDER_5, &EMBEDDED_5, 4);
        check_order(&ORDER_5, &minus(WEIGHTS_5, ORDER_5.e), 4);
    }

    #[test]
    fn each_stage_reaches_the_next_one() {
        for p in 2..=5 {
            let table = of_order(p);
            assert!((1..=table.s_bar).all(|i| table.a[i][i - 1] != 0.0));
        }
    }

    #[test]
    fn stage_8_of_order_5_has_order_3() {
        let moment = |k: i32| -> f64 {
            (0..STAGES)
                .map(|j| ORDER_5.a[7][j] * ORDER_5.c[j].powi(k))
                .sum()
        };
        let c8 = ORDER_5.c[7];
        assert!((moment(1) - c8.powi(2) / 2.0).abs() < 1e-14);
        assert!((moment(2) - c8.powi(3) / 3.0).abs() < 1e-14);
    }

    #[test]
    fn multipliers_of_order_4_and_5_are_those_of_the_next_first_stage() {
        for (p, s) in [(4, 4), (5, 6)] {
            let table = of_order(p);
            assert!(table.first_same_as_last());
            assert!((0..STAGES).all(|j| (table.d[j] - f64::from(u8::from(j == s))).abs() < 1e-15));
        }
        assert!(!of_order(2).first_same_as_last() && !of_order(3).first_same_as_last());
    }
}
