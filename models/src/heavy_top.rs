//! A top that spins about a fixed point, with its joint as a constraint, or on
//! the rotation group alone.
//!
//! Source: Arnold, Cardona, Bruls (2016), section 3; Tumiotto, Arnold (2024).
//! Reference: Taylor series of the reduced equations in 50 digits, in
//! `tests/data/heavy_top.json`.

use nalgebra::Vector3;
use polhode::generic::description::{Attachment, Body, Description, Joint, JointKind, Start};
use polhode::lie::{GroupKind, LieGroup, Rotation, S3};

use crate::generated::{
    FreeTop, FreeTopQuaternion, TopDirect, TopDirectQuaternion, TopSemidirect,
    TopSemidirectQuaternion,
};
use crate::machine::hosted;
use crate::model::{Choice, Exact, Known, Model, Path, Reference, Structure};

/// Mass.
pub const MASS: f64 = 15.0;
/// Principal inertias about the centre of mass.
pub const INERTIA: [f64; 3] = [0.234_375, 0.468_75, 0.234_375];
/// Acceleration of gravity.
pub const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];
/// Centre of mass as seen from the fixed point, at the start and in body axes.
pub const CENTER: [f64; 3] = [0.0, 1.0, 0.0];
/// Initial angular velocity in body axes.
pub const ANGULAR_VELOCITY: [f64; 3] = [0.0, 150.0, -4.615_38];

fn inertia() -> [[f64; 3]; 3] {
    let [x, y, z] = INERTIA;
    [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
}

/// The top with six degrees of freedom and a spherical joint at the origin.
pub fn constrained(group: GroupKind) -> Description {
    Description {
        name: "heavy-top".to_owned(),
        gravity: GRAVITY,
        bodies: vec![Body {
            name: "top".to_owned(),
            group,
            mass: MASS,
            inertia: inertia(),
            center: [0.0; 3],
            start: Start {
                position: CENTER.to_vec(),
                velocity: vec![4.615_38, 0.0, 0.0],
                angular_velocity: ANGULAR_VELOCITY,
                ..Start::default()
            },
        }],
        joints: vec![Joint {
            name: "pivot".to_owned(),
            kind: JointKind::Spherical,
            first: Attachment::at("ground", [0.0; 3]),
            second: Attachment::at("top", CENTER.map(|x| -x)),
        }],
        ..Description::default()
    }
}

/// The same top on a rotation group (`SO3` or `S3`), its frame at the fixed point.
pub fn free(group: GroupKind) -> Description {
    Description {
        name: "heavy-top-free".to_owned(),
        gravity: GRAVITY,
        bodies: vec![Body {
            name: "top".to_owned(),
            group,
            mass: MASS,
            inertia: inertia(),
            center: CENTER,
            start: Start {
                angular_velocity: ANGULAR_VELOCITY,
                ..Start::default()
            },
        }],
        joints: vec![],
        ..Description::default()
    }
}

const SOURCE: &str = "Arnold, Cardona, Bruls (2016), section 3; Tumiotto, Arnold (2024), doi 10.1007/s11044-024-10002-8";
const EXACT: Exact = Exact {
    source: "Taylor series of the reduced equations in 50 digits, 25 printed; t = 0.1, 0.25, 0.5, 0.75, 1",
    at: exact,
};

/// The top with its joint, in the registry.
pub static CONSTRAINED: Model = Model {
    name: "heavy-top",
    summary: "fast top with six degrees of freedom, held at a fixed point by a spherical joint",
    source: SOURCE,
    structure: Structure::Mechanism(|choice| constrained(choice.group)),
    paths: |_| &[Path::Generated, Path::Generic],
    machine: |path, choice| match (path, choice.group) {
        (Path::Generated, GroupKind::SO3xR3) => Some(hosted(TopDirect)),
        (Path::Generated, GroupKind::SE3) => Some(hosted(TopSemidirect)),
        (Path::Generated, GroupKind::S3xR3) => Some(hosted(TopDirectQuaternion)),
        (Path::Generated, GroupKind::S3sR3) => Some(hosted(TopSemidirectQuaternion)),
        _ => None,
    },
    operations: |choice| match choice.group {
        GroupKind::SE3 => TopSemidirect.operations(),
        GroupKind::S3xR3 => TopDirectQuaternion.operations(),
        GroupKind::S3sR3 => TopSemidirectQuaternion.operations(),
        _ => TopDirect.operations(),
    },
    reference: Some(EXACT),
    ..Model::PLAIN
};

/// The top on a rotation group, in the registry.
pub static FREE: Model = Model {
    name: "heavy-top-free",
    summary: "the same top on a rotation group alone, without constraints",
    source: SOURCE,
    groups: &[GroupKind::SO3, GroupKind::S3],
    structure: Structure::Mechanism(|choice| free(choice.group)),
    paths: |_| &[Path::Generated, Path::Generic],
    machine: |path, choice| match (path, choice.group) {
        (Path::Generated, GroupKind::SO3) => Some(hosted(FreeTop)),
        (Path::Generated, GroupKind::S3) => Some(hosted(FreeTopQuaternion)),
        _ => None,
    },
    operations: |choice| match choice.group {
        GroupKind::S3 => FreeTopQuaternion.operations(),
        _ => FreeTop.operations(),
    },
    reference: Some(EXACT),
    ..Model::PLAIN
};

/// The exact motion at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The time.
    pub t: f64,
    /// Quaternion (w, x, y, z), continuous from the start.
    pub rotation: [f64; 4],
    /// Angular velocity in body axes.
    pub omega: [f64; 3],
    /// Force of the joint on the top, in body axes.
    pub lambda: [f64; 3],
}

/// Taylor series of degree 34 with steps of 1/400 in 50 digits; 25 digits agree
/// with degree 44 and steps of 1/500.
#[expect(clippy::excessive_precision, reason = "digits of the source")]
const SAMPLES: [Sample; 5] = [
    Sample {
        t: 0.1,
        rotation: [
            0.331_822_912_608_300_823_121_915,
            0.177_338_056_666_937_025_470_415_6,
            0.914_975_159_138_727_902_369_037_6,
            -0.145_826_014_430_888_623_141_162_5,
        ],
        omega: [
            4.808_941_331_728_092_311_846_597,
            150.0,
            1.028_300_756_718_329_841_542_211,
        ],
        lambda: [
            331.434_967_781_087_981_113_334_2,
            -384.699_373_361_737_244_230_457_4,
            69.521_016_742_278_853_770_490_65,
        ],
    },
    Sample {
        t: 0.25,
        rotation: [
            0.838_737_324_414_669_601_451_761,
            -0.433_643_996_192_168_053_099_028_3,
            0.004_095_949_238_806_482_072_087_712,
            -0.329_326_294_729_165_742_273_128_9,
        ],
        omega: [
            -5.915_114_128_198_341_570_062_216,
            150.0,
            0.646_387_722_925_304_937_279_229_6,
        ],
        lambda: [
            -408.876_854_316_636_699_808_171_9,
            -638.533_721_078_943_296_810_943_9,
            46.162_269_995_069_234_020_242_39,
        ],
    },
    Sample {
        t: 0.5,
        rotation: [
            0.584_560_624_069_414_641_922_843_8,
            -0.700_662_895_412_206_503_743_717,
            0.384_325_753_022_894_405_036_069_5,
            0.140_193_078_800_435_200_438_310_9,
        ],
        omega: [
            -0.471_053_101_745_248_842_970_137_5,
            150.0,
            5.901_083_048_326_457_027_851_916,
        ],
        lambda: [
            -34.073_314_203_233_116_796_790_06,
            -630.352_630_432_098_069_704_818_1,
            407.908_823_114_881_202_574_879_7,
        ],
    },
    Sample {
        t: 0.75,
        rotation: [
            0.670_916_602_230_937_297_920_913_8,
            -0.228_265_862_897_322_820_489_275_1,
            0.667_237_911_322_964_263_113_788_4,
            0.229_257_886_189_336_921_852_046_3,
        ],
        omega: [
            4.612_874_608_222_195_711_533_838,
            150.0,
            -0.173_176_451_830_646_941_707_846_5,
        ],
        lambda: [
            317.089_044_202_435_884_208_255_5,
            -319.681_361_238_445_019_005_277,
            -11.976_967_333_733_762_268_614_67,
        ],
    },
    Sample {
        t: 1.0,
        rotation: [
            0.732_943_980_679_663_718_147_283_6,
            -0.278_285_719_337_612_678_518_396_9,
            0.531_824_611_334_162_617_923_441_8,
            -0.320_176_142_736_249_281_409_048_2,
        ],
        omega: [
            -0.822_078_101_682_704_456_256_289_4,
            150.0,
            -5.923_291_348_117_336_186_076_861,
        ],
        lambda: [
            -58.274_563_744_197_372_699_013_87,
            -646.558_311_914_525_423_234_903_1,
            -409.441_408_863_464_661_822_893_9,
        ],
    },
];

fn exact(choice: &Choice, t: f64) -> Option<Known> {
    let sample = SAMPLES.iter().find(|sample| (sample.t - t).abs() < 1e-12)?;
    Some(Known::State(sample.reference(choice.group)))
}

impl Sample {
    /// A motion of the top, the force of the joint by the balance of momentum:
    /// `lambda = m (Omega' x X + Omega x (Omega x X)) - m R^T gamma` with the `Omega'` of the
    /// reduced equations.
    pub fn new(t: f64, rotation: [f64; 4], omega: [f64; 3]) -> Self {
        let [w, x, y, z] = rotation;
        let turn = S3 {
            scalar: w,
            vector: [x, y, z].into(),
        }
        .renormalized();
        let weight: Vector3<f64> = turn.inverse().rotate(&(MASS * Vector3::from(GRAVITY)));
        let center = Vector3::from(CENTER);
        let spin = Vector3::from(omega);
        let about_pivot = Vector3::new(INERTIA[0] + MASS, INERTIA[1], INERTIA[2] + MASS);
        let torque = center.cross(&weight) - spin.cross(&about_pivot.component_mul(&spin));
        let rate = torque.component_div(&about_pivot);
        let acceleration = rate.cross(&center) + spin.cross(&spin.cross(&center));
        Self {
            t,
            rotation,
            omega,
            lambda: (MASS * acceleration - weight).into(),
        }
    }

    /// The same motion in the coordinates of a group.
    pub fn reference(&self, group: GroupKind) -> Reference {
        let [w, x, y, z] = self.rotation;
        let rotation = S3 {
            scalar: w,
            vector: [x, y, z].into(),
        }
        .renormalized();
        let mut q: Vec<f64> = match group {
            GroupKind::S3 | GroupKind::S3xR3 | GroupKind::S3sR3 => self.rotation.to_vec(),
            _ => rotation.to_matrix().transpose().as_slice().to_vec(),
        };
        let mut v = self.omega.to_vec();
        let mut lambda = Vec::new();
        if group.dof() == 6 {
            let [a, _, c] = self.omega;
            let velocity = [-c, 0.0, a].into(); // Omega x X in body axes
            q.extend(rotation.rotate(&CENTER.into()).iter());
            if matches!(group, GroupKind::SO3xR3 | GroupKind::S3xR3) {
                v.extend(rotation.rotate(&velocity).iter());
            } else {
                v.extend(velocity.iter());
            }
            lambda.extend(self.lambda);
        }
        Reference { q, v, lambda }
    }
}
