//! The solves of the half-explicit methods.

use std::fmt::Write;

use super::Emitter;
use crate::plan::{Solve, Stage};

impl Emitter<'_> {
    pub(super) fn schur_solve(&mut self, geometry: &str, out: &str, blocks: &str) {
        let solve = self.plan.schur_solve.as_ref();
        if let Some(Solve { solution, .. }) = solve {
            self.inline(solution);
        }
        let _ = writeln!(
            self.text,
            "fn schur_solve(&self, n: {geometry}, g: {geometry}, right: {out}, workspace: &mut rt::Workspace<{blocks}>) -> rt::Result<(), rt::Fault> {{"
        );
        let pivoted = "rt::pivoted::schur_solve(self, n, g, right, &mut workspace.dense)";
        let Some(Solve { solution, growth }) = solve else {
            let _ = writeln!(self.text, "{pivoted} }}");
            return;
        };
        let plain = out.replacen("&mut ", "&", 1);
        let arguments = [("n", geometry), ("g", geometry), ("right", plain.as_str())];
        let all = [&solution[..], growth].concat();
        let values = self.kernel(&all, &arguments);
        self.unless_lost(&values[solution.len()..], pivoted);
        let _ = writeln!(
            self.text,
            "*right = [{}]; rt::Ok(()) }}",
            values[..solution.len()].join(", ")
        );
    }

    pub(super) fn stage_solve(&mut self, out_v: &str, out_c: &str) {
        let plan = self.plan;
        let Some(general) = &plan.stage_solve else {
            return; // composed
        };
        self.inline(&general.vdot);
        let _ = writeln!(
            self.text,
            "fn stage_solve(&self, stage: &rt::Stage<'_, Self>, next: &rt::NextStage<'_, Self>, vdot: {out_v}, lambda: {out_c}, scratch: &mut rt::Scratch<Self>) -> rt::Result<(), rt::Fault> {{\n\
             let (t, g, v) = (stage.t, stage.geometry, stage.v);\n\
             let (n, u, weight) = (next.geometry, next.v, next.weight);"
        );
        if let Some(stage) = &plan.steady_stage {
            self.line("if next.steady {");
            self.stage(stage);
            self.line("return rt::Ok(()); }");
        }
        self.stage(general);
        self.line("rt::Ok(()) }");
    }

    fn stage(&mut self, stage: &Stage) {
        let (nv, nc) = (stage.vdot.len(), stage.lambda.len());
        let all = [&stage.lambda[..], &stage.vdot, &stage.growth].concat();
        let (_, velocity, geometry) = self.arrays();
        let arguments = [
            ("g", geometry.as_str()),
            ("v", &velocity),
            ("n", &geometry),
            ("u", &velocity),
            ("weight", "f64"),
        ];
        let values = self.kernel(&all, &arguments);
        // With copies of its arguments: only a call that is made needs them in memory.
        let composed = "{ let mut copy = *lambda; \
            let result = rt::compose_stage(self, &{ *stage }, &{ *next }, vdot, &mut copy, scratch); \
            *lambda = copy; result }";
        self.unless_lost(&values[nv + nc..], composed);
        let _ = writeln!(
            self.text,
            "*lambda = [{}]; *vdot = [{}];",
            values[..nc].join(", "),
            values[nc..nv + nc].join(", ")
        );
    }

    /// Returns another solution if a pivot is lost.
    fn unless_lost(&mut self, growth: &[String], other: &str) {
        if !growth.is_empty() {
            let growth = growth.join(", ");
            let _ = writeln!(
                self.text,
                "if rt::is_lost(&[{growth}]) {{ return {other}; }}"
            );
        }
    }
}
