//! Coefficients of methods that multiply exponentials.

/// Exponentials of linear combinations of the `f_j`, each with its weights; the first one is applied first.
pub(super) type Product = &'static [&'static [f64]];

/// How a point is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reached {
    /// From the state or from a stage, counted from zero; zero is the state.
    pub(super) from: usize,
    pub(super) by: Product,
}

const fn by(from: usize, by: Product) -> Reached {
    Reached { from, by }
}

/// A method; stages are counted from zero, which is the state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Products {
    pub(super) order: u32,
    /// Stages of the method, then those of the embedded one.
    pub(super) stages: &'static [Reached],
    pub(super) step: Reached,
    /// Order and step of the embedded method.
    pub(super) embedded: Option<(u32, Reached)>,
}

/// Four stages, five exponentials, order 4 and 3.
///
/// E. Celledoni, A. Marthinsen, B. Owren, Future Gener. Comput. Syst. 19 (2003).
pub(super) const FOURTH: Products = Products {
    order: 4,
    stages: &[
        by(0, &[&[1.0 / 2.0]]),
        by(0, &[&[0.0, 1.0 / 2.0]]),
        by(1, &[&[-1.0 / 2.0, 0.0, 1.0]]),
        by(0, &[&[0.0, 3.0 / 4.0]]),
    ],
    step: by(
        0,
        &[
            &[1.0 / 4.0, 1.0 / 6.0, 1.0 / 6.0, -1.0 / 12.0],
            &[-1.0 / 12.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 4.0],
        ],
    ),
    embedded: Some((
        3,
        by(
            0,
            &[&[1.0 / 3.0], &[-1.0 / 9.0, 1.0 / 3.0, 0.0, 0.0, 4.0 / 9.0]],
        ),
    )),
};

/// Three stages, order 3 and 2: the first method with stages that are used again.
pub(super) const THIRD_A: Products = Products {
    order: 3,
    stages: &[by(0, &[&[1.0 / 3.0]]), by(0, &[&[0.0, 2.0 / 3.0]])],
    step: by(1, &[&[-1.0 / 12.0, 0.0, 3.0 / 4.0]]),
    embedded: Some((2, by(0, &[&[0.0, 1.0 / 2.0, 1.0 / 2.0]]))),
};

/// Three stages, order 3 and 2: the second one.
pub(super) const THIRD_B: Products = Products {
    order: 3,
    stages: &[by(0, &[&[2.0 / 3.0]]), by(0, &[&[5.0 / 12.0, 1.0 / 4.0]])],
    step: by(2, &[&[-1.0 / 6.0, -1.0 / 2.0, 1.0]]),
    embedded: Some((2, by(0, &[&[1.0 / 4.0, 0.0, 3.0 / 4.0]]))),
};

/// Three stages, order 3, an exponential for each.
///
/// P. E. Crouch, R. Grossman, J. Nonlinear Sci. 3 (1993).
pub(super) const CROUCH_GROSSMAN: Products = Products {
    order: 3,
    stages: &[
        by(0, &[&[3.0 / 4.0]]),
        by(0, &[&[119.0 / 216.0], &[0.0, 17.0 / 108.0]]),
    ],
    step: by(
        0,
        &[&[13.0 / 51.0], &[0.0, -2.0 / 3.0], &[0.0, 0.0, 24.0 / 17.0]],
    ),
    embedded: None,
};
