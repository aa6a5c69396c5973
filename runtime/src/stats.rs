//! Work counted by cause.

/// What a run has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Stats {
    /// Steps that were kept.
    pub accepted: u64,
    /// Steps repeated because the estimated error was too large.
    pub rejected_error: u64,
    /// Steps repeated because Newton's method did not converge.
    pub rejected_newton: u64,
    /// Steps repeated because an evaluation failed or gave NaN.
    pub rejected_fault: u64,
    /// Steps repeated because they would have passed a singular position.
    pub rejected_singular: u64,
    /// Stages with a linear solve (half-explicit methods).
    pub stages: u64,
    /// Newton iterations, that is, corrections applied.
    pub newton_iterations: u64,
    /// Newton matrices factored because a step began or full Newton was asked for.
    pub factorizations: u64,
    /// Newton matrices factored because an old one converged too slowly.
    pub refactorizations: u64,
    /// Steps of the line search beyond the full correction.
    pub line_search_halvings: u64,
    /// Times that rotations were brought back to their group.
    pub renormalizations: u64,
    /// Output points and events evaluated by dense output.
    pub interpolations: u64,
}

impl Stats {
    /// Steps that were repeated, for whatever reason.
    pub fn rejected(&self) -> u64 {
        self.rejected_error + self.rejected_newton + self.rejected_fault + self.rejected_singular
    }
}
