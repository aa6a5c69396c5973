//! The options of methods and runs that several commands share, and what they mean.

use clap::{Args, ValueEnum};
use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode::starting_values::StartingValues;
use polhode_models::machine::Scheme;

use crate::failure::Failure;
use crate::simulate::Plan;
use crate::subject::Subject;

/// The methods by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum MethodName {
    /// Half-explicit, order 2.
    He2,
    /// Half-explicit, order 3.
    He3,
    /// Half-explicit, order 4.
    He4,
    /// Half-explicit, order 5, fixed or adaptive steps.
    He5,
    /// Generalized-alpha, index 3.
    Ga3,
    /// Generalized-alpha, index 2.
    Ga2,
    /// Generalized-alpha, stabilized index 2.
    Ga2s,
}

impl MethodName {
    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::He2 => "he2",
            Self::He3 => "he3",
            Self::He4 => "he4",
            Self::He5 => "he5",
            Self::Ga3 => "ga3",
            Self::Ga2 => "ga2",
            Self::Ga2s => "ga2s",
        }
    }

    /// The method with its default options.
    pub(crate) fn default_scheme(self) -> Scheme {
        let half_explicit = |method| Scheme::HalfExplicit(method, Multipliers::Raw);
        match self {
            Self::He2 => half_explicit(HalfExplicit::order2()),
            Self::He3 => half_explicit(HalfExplicit::order3()),
            Self::He4 => half_explicit(HalfExplicit::order4()),
            Self::He5 => half_explicit(HalfExplicit::order5()),
            Self::Ga3 => Scheme::GeneralizedAlpha(GeneralizedAlpha::index3()),
            Self::Ga2 => Scheme::GeneralizedAlpha(GeneralizedAlpha::index2()),
            Self::Ga2s => Scheme::GeneralizedAlpha(GeneralizedAlpha::stabilized_index2()),
        }
    }
}

/// Starting values by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum StartName {
    Classical,
    Acceleration,
    Corrected,
}

/// Newton's method by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NewtonName {
    Full,
    Modified,
}

/// Multipliers by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum MultiplierName {
    Raw,
    Recomputed,
}

/// The options of the methods.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MethodOptions {
    /// Spectral radius at infinity of generalized-alpha, 0.9 if not given.
    #[arg(long, allow_negative_numbers = true)]
    rho: Option<f64>,
    /// Position update of generalized-alpha: 0, 1, opt or a number; 0 if not given.
    #[arg(long, allow_hyphen_values = true)]
    sigma: Option<String>,
    /// Starting values of generalized-alpha, corrected if not given.
    #[arg(long)]
    start: Option<StartName>,
    /// Newton's method of generalized-alpha, full if not given.
    #[arg(long)]
    newton: Option<NewtonName>,
    /// Multipliers of half-explicit methods, raw if not given.
    #[arg(long)]
    multipliers: Option<MultiplierName>,
}

impl MethodOptions {
    /// A method with these options.
    pub(crate) fn scheme(&self, method: MethodName) -> Result<Scheme, Failure> {
        let misplaced = |option, family| {
            Err(Failure::Usage(format!(
                "{option} is an option of {family}, not of {}",
                method.name()
            )))
        };
        match method.default_scheme() {
            Scheme::HalfExplicit(scheme, default) => {
                let options = [
                    ("--rho", self.rho.is_some()),
                    ("--sigma", self.sigma.is_some()),
                    ("--start", self.start.is_some()),
                    ("--newton", self.newton.is_some()),
                ];
                if let Some((option, _)) = options.iter().find(|(_, given)| *given) {
                    return misplaced(*option, "ga3, ga2 and ga2s");
                }
                let multipliers = match self.multipliers {
                    None => default,
                    Some(MultiplierName::Raw) => Multipliers::Raw,
                    Some(MultiplierName::Recomputed) => Multipliers::Recomputed,
                };
                Ok(Scheme::HalfExplicit(scheme, multipliers))
            }
            Scheme::GeneralizedAlpha(mut scheme) => {
                if self.multipliers.is_some() {
                    return misplaced("--multipliers", "he2, he3, he4 and he5");
                }
                scheme.rho = self.rho.unwrap_or(scheme.rho);
                if let Some(sigma) = &self.sigma {
                    scheme.sigma = parse_sigma(sigma)?;
                }
                if let Some(start) = self.start {
                    scheme.start = match start {
                        StartName::Classical => StartingValues::Classical,
                        StartName::Acceleration => StartingValues::Acceleration,
                        StartName::Corrected => StartingValues::Corrected,
                    };
                }
                if self.newton == Some(NewtonName::Modified) {
                    scheme = scheme.modified_newton();
                }
                Ok(Scheme::GeneralizedAlpha(scheme))
            }
        }
    }
}

fn parse_sigma(text: &str) -> Result<Sigma, Failure> {
    match text {
        "0" => Ok(Sigma::Geom1),
        "1" => Ok(Sigma::One),
        "opt" => Ok(Sigma::Optimal),
        number => number
            .parse()
            .map(Sigma::Value)
            .map_err(|_| Failure::Usage(format!("--sigma {text}: expected 0, 1, opt or a number"))),
    }
}

/// Method, steps and span of one run.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PlanArgs {
    /// Method; he5 if not given.
    #[arg(long)]
    method: Option<MethodName>,
    /// Size of fixed steps; that of the model if not given, 1e-3 for a file. With he5 a file has
    /// adaptive steps instead.
    #[arg(long, allow_negative_numbers = true, value_name = "H", conflicts_with_all = ["rtol", "atol"])]
    step: Option<f64>,
    /// Relative tolerance of adaptive steps (he5); 1e-6 if not given.
    #[arg(long, allow_negative_numbers = true, value_name = "R")]
    rtol: Option<f64>,
    /// Absolute tolerance of adaptive steps (he5); R/100 if not given.
    #[arg(long, allow_negative_numbers = true, value_name = "A")]
    atol: Option<f64>,
    /// End of the run; that of the model if not given.
    #[arg(long, allow_negative_numbers = true, value_name = "T")]
    until: Option<f64>,
    #[command(flatten)]
    options: MethodOptions,
}

/// Relative tolerance where none is given.
const RELATIVE: f64 = 1e-6;
/// Absolute tolerance for a relative one, where none is given.
pub(crate) const ABSOLUTE_TO_RELATIVE: f64 = 1e-2;

impl PlanArgs {
    /// The run that is asked for.
    pub(crate) fn plan(&self, subject: &Subject) -> Result<Plan, Failure> {
        let method = self.method.unwrap_or(MethodName::He5);
        let mut scheme = self.options.scheme(method)?;
        // A step size suits a model that is known; for any other the error decides.
        let unknown = subject.model.is_none() && self.step.is_none() && method == MethodName::He5;
        let adaptive = self.rtol.is_some() || self.atol.is_some() || unknown;
        if adaptive {
            let relative = self.rtol.unwrap_or(RELATIVE);
            let absolute = self.atol.unwrap_or(relative * ABSOLUTE_TO_RELATIVE);
            scheme = match scheme {
                Scheme::HalfExplicit(scheme, multipliers) if method == MethodName::He5 => {
                    Scheme::HalfExplicit(scheme.tolerances(absolute, relative), multipliers)
                }
                _ => {
                    return Err(Failure::Usage(format!(
                        "--rtol and --atol need an error estimate, which only he5 has; \
                         give {} a --step",
                        method.name()
                    )));
                }
            };
        }
        let until = self.until.unwrap_or(subject.end);
        if !(until > 0.0 && until.is_finite()) {
            let text = format!("--until {until}: it must be positive and finite");
            return Err(Failure::Usage(text));
        }
        Ok(Plan {
            scheme,
            method: method.name(),
            step: (!adaptive).then(|| self.step.unwrap_or(subject.step)),
            until,
            kinks: subject.kinks(),
            timed: true,
        })
    }
}
