//! What the assembly of an approximate start changed: in the documentation of the type, and as
//! `assembly()`. With parameters the constructor assembles, and reports the same.

use std::fmt::Write;

use crate::formula::Formula;
use crate::model::{Group, Model};
use crate::render::number;
use crate::start::Start;

/// Where an assembled start came from.
#[derive(Clone, Debug)]
pub(crate) struct Assembled {
    /// The configuration as it is declared.
    pub(crate) declared: Vec<f64>,
    /// Newton iterations.
    pub(crate) iterations: usize,
}

/// How far each body moved, in words.
pub(crate) fn report(model: &Model, start: &Start) -> String {
    let mut text = String::new();
    let Some(assembled) = &start.assembled else {
        return text;
    };
    text.push_str("\nThe start is assembled from approximate positions:\n\n");
    let q: Vec<f64> = start.q.iter().filter_map(Formula::value).collect();
    for body in &model.bodies {
        let at = body.config..body.config + body.group.config_len();
        let (moved, turned) = apart(body.group, &assembled.declared[at.clone()], &q[at]);
        let _ = write!(text, "- `{}` moved by {moved:.6}", body.name);
        if body.group.rotates() {
            let _ = write!(text, " and turned by {turned:.6} rad");
        }
        text.push('\n');
    }
    text
}

/// The distance of the origins and the angle of the rotations of two configurations of a body.
fn apart(group: Group, a: &[f64], b: &[f64]) -> (f64, f64) {
    let turns = match group {
        Group::Rn(_) => 0,
        _ if group.has_matrix() => 9,
        _ => 4,
    };
    let ((ra, xa), (rb, xb)) = (a.split_at(turns), b.split_at(turns));
    let dot: f64 = ra.iter().zip(rb).map(|(a, b)| a * b).sum();
    let angle = match turns {
        0 => 0.0,
        9 => (0.5 * (dot - 1.0)).clamp(-1.0, 1.0).acos(),
        _ => 2.0 * dot.abs().min(1.0).acos(),
    };
    let squares = xa.iter().zip(xb).map(|(a, b)| (b - a) * (b - a));
    (squares.sum::<f64>().sqrt(), angle)
}

/// `assembly()` of a model without late values that asks for assembly.
pub(crate) fn method(model: &Model, start: &Start) -> String {
    if !model.assemble || model.late() > 0 {
        return String::new();
    }
    let value = start.assembled.as_ref().map_or_else(
        || "rt::None".to_owned(),
        |Assembled {
             declared,
             iterations,
         }| {
            let declared: Vec<String> = declared.iter().map(|x| number(*x)).collect();
            let declared = declared.join(", ");
            format!("rt::Some(rt::assembled(self, &[{declared}], {iterations}))")
        },
    );
    format!(
        "/// How far the start positions moved to fulfil the joints, if they had to.\n\
         #[must_use]\n#[allow(clippy::unused_self)]\n\
         pub fn assembly(&self) -> rt::Option<rt::Projection> {{ {value} }}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{Assembled, apart, method, report};
    use crate::example::model;
    use crate::formula::Formula;
    use crate::model::Group;
    use crate::start::Start;

    /// A quarter turn about z and a step along x, as matrix and as quaternion.
    #[test]
    fn bodies_apart() {
        let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let turned = [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let half = 0.5_f64.sqrt();
        let quarter = core::f64::consts::FRAC_PI_2;
        let cases = [
            (Group::Se3, identity.to_vec(), turned.to_vec()),
            (
                Group::S3xR3,
                vec![1.0, 0.0, 0.0, 0.0],
                vec![-half, 0.0, 0.0, -half],
            ),
        ];
        for (group, mut a, mut b) in cases {
            a.extend([1.0, 2.0, 3.0]);
            b.extend([1.5, 2.0, 3.0]);
            let (moved, angle) = apart(group, &a, &b);
            assert!((moved - 0.5).abs() < 1e-15, "{moved}");
            assert!((angle - quarter).abs() < 1e-15, "{angle}");
        }
        assert_eq!(apart(Group::Rn(2), &[1.0, 2.0], &[4.0, 6.0]), (5.0, 0.0));
    }
    #[test]
    fn the_report_names_every_body() {
        let model = model(
            "assemble",
            "#[body(mass = 1, inertia = [1, 1, 1], free)] a: Body<SE3>,
             #[body(mass = 1, free)] #[start(position = [1, 2])] b: Body<R2>,",
        );
        let mut start = Start::new(&model);
        assert_eq!(report(&model, &start), "");
        assert!(method(&model, &start).ends_with("{ rt::None }\n"));
        let mut declared: Vec<f64> = start.q.iter().filter_map(Formula::value).collect();
        declared[13] = 1.5;
        let iterations = 3;
        start.assembled = Some(Assembled {
            declared,
            iterations,
        });
        let text = report(&model, &start);
        assert!(text.contains("- `a` moved by 0.000000 and turned by 0.000000 rad\n"));
        assert!(text.ends_with("- `b` moved by 0.500000\n"), "{text}");
        let code = method(&model, &start);
        let end = "1.0_f64, 1.5_f64], 3)) }\n";
        assert!(code.ends_with(end), "{code}");
    }

    #[test]
    fn the_constructor_reports_what_parameters_decide() {
        let fields = "#[body(mass = m, free)] a: Body<R3>, #[param(default = 1)] m: f64,";
        let late = model("assemble", fields);
        assert_eq!(method(&late, &Start::new(&late)), "");
        let plain = model("", "#[body(mass = 1, free)] a: Body<R3>,");
        assert_eq!(method(&plain, &Start::new(&plain)), "");
    }
}
