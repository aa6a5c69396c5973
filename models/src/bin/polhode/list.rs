//! `polhode list`.

use clap::ValueEnum;
use polhode_models::model::{Model, Parameter, Path};
use polhode_models::registry::MODELS;
use serde::Serialize;

use crate::args::MethodName;
use crate::json;

/// Lists the models and methods.
#[derive(clap::Args, Debug)]
pub(crate) struct List {
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listing {
    models: Vec<ListedModel>,
    methods: Vec<ListedMethod>,
}

#[derive(Serialize)]
struct ListedModel {
    name: &'static str,
    summary: &'static str,
    source: &'static str,
    groups: Vec<String>,
    methods: Vec<&'static str>,
    paths: &'static [Path],
    /// Default of `--n`, for models with any number of elements.
    n: Option<usize>,
    parameters: &'static [Parameter],
    until: f64,
    step: f64,
    reference: Option<&'static str>,
}

#[derive(Serialize)]
struct ListedMethod {
    name: &'static str,
    summary: String,
}

fn methods() -> impl Iterator<Item = ListedMethod> {
    MethodName::value_variants().iter().map(|method| {
        let help = method.to_possible_value();
        let help = help.and_then(|value| value.get_help().map(ToString::to_string));
        ListedMethod {
            name: method.name(),
            summary: help.unwrap_or_default(),
        }
    })
}

fn listed(model: &Model) -> ListedModel {
    let paths = (model.paths)(&model.choice());
    ListedModel {
        name: model.name,
        summary: model.summary,
        source: model.source,
        groups: model.groups.iter().map(ToString::to_string).collect(),
        methods: methods()
            .map(|method| method.name)
            .filter(|name| !model.unsuitable.contains(name))
            .collect(),
        paths,
        n: model.size.map(|size| size.default),
        parameters: model.parameters,
        until: model.end,
        step: model.step,
        reference: model.reference.map(|exact| exact.source),
    }
}

impl List {
    pub(crate) fn execute(&self) -> String {
        let models = MODELS.iter().copied().map(listed);
        if self.json {
            return json::text(&Listing {
                models: models.collect(),
                methods: methods().collect(),
            });
        }
        let mut text = "Models (the first group is the default)\n".to_owned();
        for model in models {
            text += &format!("\n  {}\n    {}\n", model.name, model.summary);
            text += &format!("    groups {}\n", model.groups.join(", "));
            if let Some(n) = model.n {
                text += &format!("    --n {n}\n");
            }
            for parameter in model.parameters {
                let Parameter {
                    name,
                    meaning,
                    default,
                    min,
                    max,
                    only,
                } = parameter;
                text += &format!("    --param {name}={default}: {meaning}");
                if only.is_empty() {
                    text += &format!(" ({min} to {max})");
                }
                text.push('\n');
            }
            text += &format!("    until {}, step {}\n", model.until, model.step);
            if let Some(reference) = model.reference {
                text += &format!("    reference: {reference}\n");
            }
            text += &format!("    source: {}\n", model.source);
        }
        text += "\nMethods\n\n";
        for method in methods() {
            text += &format!("  {:<5} {}\n", method.name, method.summary);
        }
        text
    }
}
