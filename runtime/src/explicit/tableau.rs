//! Coefficients of explicit Runge-Kutta methods.

use crate::error::SolveError;
use crate::tableau::{self, STAGES};

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
                return wrong(
                    "length of a row of a tableau",
                    value,
                    "one weight for each stage before it",
                );
            }
        }
        let weights = core::iter::once(&self.b).chain(&self.errors);
        for (weights, sum) in weights.zip([1.0, 0.0, 0.0]) {
            if weights.len() != stages {
                #[expect(clippy::cast_precision_loss, reason = "a few stages")]
                let value = weights.len() as f64;
                return wrong(
                    "number of weights of a tableau",
                    value,
                    "one for each stage",
                );
            }
            let found: f64 = weights.iter().sum();
            if !((found - sum).abs() < 1e-12) {
                return wrong(
                    "sum of the weights of a tableau",
                    found,
                    if sum == 1.0 {
                        "1"
                    } else {
                        "0, as differences of weights"
                    },
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

    /// The pair 5(4) of J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980), as in the half-explicit
    /// method of order 5.
    pub fn dormand_prince5() -> Self {
        let table = tableau::of_order(5);
        let rows = table.a[..STAGES].iter().enumerate();
        Self {
            order: 5,
            a: rows.map(|(i, row)| row[..i].to_vec()).collect(),
            b: table.a[STAGES - 1].to_vec(),
            errors: vec![table.e.to_vec()],
            error_order: 4,
        }
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

    /// The method of order 8 of J. R. Dormand and P. J. Prince with errors of order 5 and 3.
    ///
    /// E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, II.5.
    pub fn dormand_prince8() -> Self {
        let a: [&[f64]; 12] = [
            &[],
            &[0.052_600_151_958_767_73],
            &[0.019_725_056_984_537_9, 0.059_175_170_953_613_7],
            &[0.029_587_585_476_806_85, 0.0, 0.088_762_756_430_420_54],
            &[
                0.241_365_134_159_266_7,
                0.0,
                -0.884_549_479_328_286_1,
                0.924_834_003_261_792,
            ],
            &[
                0.037_037_037_037_037_035,
                0.0,
                0.0,
                0.170_828_608_729_473_86,
                0.125_467_687_566_822_42,
            ],
            &[
                0.037_109_375,
                0.0,
                0.0,
                0.170_252_211_019_544_05,
                0.060_216_538_980_455_96,
                -0.017_578_125,
            ],
            &[
                0.037_092_000_118_504_79,
                0.0,
                0.0,
                0.170_383_925_712_239_98,
                0.107_262_030_446_373_28,
                -0.015_319_437_748_624_402,
                0.008_273_789_163_814_023,
            ],
            &[
                0.624_110_958_716_075_7,
                0.0,
                0.0,
                -3.360_892_629_446_941_4,
                -0.868_219_346_841_726,
                27.592_099_699_446_71,
                20.154_067_550_477_894,
                -43.489_884_181_069_96,
            ],
            &[
                0.477_662_536_438_264_34,
                0.0,
                0.0,
                -2.488_114_619_971_667_7,
                -0.590_290_826_836_843,
                21.230_051_448_181_193,
                15.279_233_632_882_423,
                -33.288_210_968_984_86,
                -0.020_331_201_708_508_627,
            ],
            &[
                -0.937_142_430_085_987_3,
                0.0,
                0.0,
                5.186_372_428_844_064,
                1.091_437_348_996_729_5,
                -8.149_787_010_746_927,
                -18.520_065_659_996_96,
                22.739_487_099_350_505,
                2.493_605_552_679_652_3,
                -3.046_764_471_898_219_6,
            ],
            &[
                2.273_310_147_516_538,
                0.0,
                0.0,
                -10.534_495_466_737_25,
                -2.000_872_058_224_862_5,
                -17.958_931_863_118_8,
                27.948_884_529_419_96,
                -2.858_998_277_135_023_5,
                -8.872_856_933_530_63,
                12.360_567_175_794_303,
                0.643_392_746_015_763_6,
            ],
        ];
        let b = [
            0.054_293_734_116_568_765,
            0.0,
            0.0,
            0.0,
            0.0,
            4.450_312_892_752_409,
            1.891_517_899_314_500_3,
            -5.801_203_960_010_585,
            0.311_164_366_957_819_9,
            -0.152_160_949_662_516_1,
            0.201_365_400_804_030_34,
            0.044_710_615_727_772_59,
        ];
        let fifth = [
            0.013_120_044_994_194_88,
            0.0,
            0.0,
            0.0,
            0.0,
            -1.225_156_446_376_204_4,
            -0.495_758_949_657_250_2,
            1.664_377_182_454_986_4,
            -0.350_328_848_749_973_66,
            0.334_179_118_713_017_5,
            0.081_923_206_485_115_71,
            -0.022_355_307_863_886_294,
        ];
        let mut third = b;
        for (stage, weight) in [
            (0, 31.0 / 127.0),
            (8, 0.733_846_688_281_611_9),
            (11, 0.022_058_823_529_411_766),
        ] {
            third[stage] -= weight;
        }
        Self {
            errors: vec![fifth.to_vec(), third.to_vec()],
            error_order: 7,
            ..Self::new(8, &a, &b)
        }
    }
}
