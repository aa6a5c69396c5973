//! The type of a model: a unit struct, or one that holds values known only at run time.
//!
//! Such values are parameters and constants outside of the model, together the array `late`.
//! What the kernels need of them is computed once, into the array `constants`.

use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::ALLOWED;
use super::description::late;
use crate::formula::Formula;
use crate::model::{Force, Model, Parameter};
use crate::render::number;
use crate::scope;
use crate::start::Start;

/// Sizes of the arrays of a model.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sizes {
    pub(crate) constants: usize,
    pub(crate) config: usize,
    pub(crate) velocity: usize,
}

/// The struct itself, and that of its parameters.
pub(crate) fn definition(model: &Model, visibility: &syn::Visibility, sizes: Sizes) -> TokenStream {
    let name = &model.name;
    let late = model.late();
    if late == 0 {
        let derive = scope::derive(&["Clone", "Copy", "Debug", "Default"]);
        return quote! {
            #derive
            #visibility struct #name;
        };
    }
    let Sizes {
        constants,
        config,
        velocity,
    } = sizes;
    let (parameters, krate) = (parameters(model, visibility), &model.krate);
    let derive = scope::derive(&["Clone", "Debug"]);
    quote! {
        #derive
        #visibility struct #name {
            late: [f64; #late],
            constants: [f64; #constants],
            start: ([f64; #config], [f64; #velocity]),
            joints: ::std::vec::Vec<#krate::joints::JointFrame>,
            assembly: ::core::option::Option<#krate::consistency::Projection>,
        }
        #parameters
    }
}

/// `NameParameters`, with the defaults.
pub(crate) fn parameters(model: &Model, visibility: &syn::Visibility) -> TokenStream {
    if model.parameters.is_empty() {
        return TokenStream::new();
    }
    let name = &model.name;
    let type_name = format_ident!("{name}Parameters");
    let about = format!("Parameters of [`{name}`].");
    let fields = model.parameters.iter().map(|parameter| {
        let Parameter {
            name,
            documentation,
            default,
            range,
        } = parameter;
        let range = format!("Default {default}, {}.", range.words());
        let name = scope::item_name(name);
        quote! { #(#documentation)* #[doc = ""] #[doc = #range] pub #name: f64 }
    });
    let names = model
        .parameters
        .iter()
        .map(|parameter| scope::item_name(&parameter.name));
    let defaults = model.parameters.iter().map(|parameter| parameter.default);
    let derive = scope::derive(&["Clone", "Copy", "Debug", "PartialEq"]);
    quote! {
        #[doc = #about]
        #derive
        #visibility struct #type_name { #(#fields,)* }
        impl ::core::default::Default for #type_name {
            fn default() -> Self { Self { #(#names: #defaults,)* } }
        }
    }
}

/// Constructors, for models with late values. `constants` is the text of a block that computes
/// the constants from `p`, `joints` that of a list; `held` says whether there are constraints.
pub(super) fn constructors(
    model: &Model,
    start: &Start,
    constants: &str,
    joints: &str,
    held: bool,
) -> String {
    if model.late() == 0 {
        return String::new();
    }
    let mut text = String::new();
    let name = &model.name;
    let (outside, read_outside) = scope::outside(model);
    let values: Vec<String> = model
        .parameters
        .iter()
        .map(|parameter| format!("parameters.{}", scope::item_name(&parameter.name)))
        .chain(outside)
        .collect();
    let list = |formulas: &[Formula]| {
        let texts: Vec<String> = formulas
            .iter()
            .map(|formula| late(model, formula))
            .collect();
        texts.join(", ")
    };
    let declared: Vec<String> = start.declared.iter().map(ToString::to_string).collect();
    let (argument, pass) = if model.parameters.is_empty() {
        (String::new(), "")
    } else {
        (format!("parameters: {name}Parameters"), "parameters")
    };
    let _ = writeln!(
        text,
        "{ALLOWED}\nimpl {name} {{\n\
         fn unchecked({argument}) -> Self {{\n\
         {read_outside}let p = [{}];\n\
         let start = ([{}], [{}]);\n\
         let constants = {{ let p = &p; {constants} }};\n\
         use rt::description::{{Formula, Function, JointKind, Motion, PositionAxes}};\n\
         let joints = rt::vec![{joints}];\n\
         Self {{ late: p, constants, start, joints, assembly: rt::None }} }}\n\
         fn started(mut self) -> rt::Result<Self, rt::InvalidParameters> {{\n\
         let (mut q, mut v) = self.start;\n\
         rt::check_numbers(&Self::description(&self))?;\n\
         {}\
         self.assembly = rt::finish_start(&self, &mut q, &mut v, &[{}], {})?;\n\
         self.start = (q, v);\n\
         {}\
         rt::Ok(self) }}\n\
         /// Checks the values, and the start that they give.\n///\n/// # Errors\n\
         /// A value that is not allowed or makes a number that a component cannot have, a start\n\
         /// that violates a joint, or constraints that repeat each other there.\n\
         pub fn new({argument}) -> rt::Result<Self, rt::InvalidParameters> {{",
        values.join(", "),
        list(&start.q),
        list(&start.v),
        inertias(model),
        declared.join(", "),
        model.assemble,
        at_start(model, held),
    );
    for parameter in &model.parameters {
        let range = parameter.range;
        let _ = writeln!(
            text,
            "rt::check_parameter({:?}, parameters.{}, {}, {}, {})?;",
            parameter.name.to_string(),
            scope::item_name(&parameter.name),
            number(range.min),
            number(range.max),
            range.above_min
        );
    }
    let _ = writeln!(text, "Self::started(Self::unchecked({pass})) }}");
    if !model.parameters.is_empty() {
        let fields: Vec<String> = model
            .parameters
            .iter()
            .enumerate()
            .map(|(i, parameter)| format!("{}: self.late[{i}]", scope::item_name(&parameter.name)))
            .collect();
        let _ = writeln!(
            text,
            "/// The parameters of this model.\n#[must_use]\n\
             pub fn parameters(&self) -> {name}Parameters {{ {name}Parameters {{ {} }} }}",
            fields.join(", ")
        );
    }
    let _ = writeln!(
        text,
        "/// How far the start positions moved to fulfil the joints, if they had to.\n#[must_use]\n\
         pub fn assembly(&self) -> rt::Option<rt::Projection> {{ self.assembly }} }}"
    );
    // Constants outside may have any value, and a default cannot fail. Default parameters were
    // checked when the macro ran; should the start be missed here by another rounding, it is as
    // declared, and a run says so.
    if model.outside.is_empty() {
        let _ = writeln!(
            text,
            "impl ::core::default::Default for {name} {{\n\
             fn default() -> Self {{\n\
             let model = Self::unchecked(::core::default::Default::default());\n\
             rt::Result::unwrap_or(Self::started(::core::clone::Clone::clone(&model)), model) }} }}"
        );
    }
    text
}

/// Checks of the start as a whole.
fn at_start(model: &Model, held: bool) -> String {
    let spring = |force: &Force| force.kind.line().is_some();
    let mut text = String::new();
    if model.forces.iter().any(spring) {
        text.push_str("rt::check_springs(&Self::description(&self))?;\n");
    }
    if held && !model.redundant {
        text.push_str("rt::check_constraints(&self)?;\n");
    }
    text
}

/// Checks of inertias that are known only when the model is constructed.
fn inertias(model: &Model) -> String {
    let mut text = String::new();
    for body in &model.bodies {
        let known = body.inertia.iter().flatten().all(|x| x.value().is_some());
        if known || body.inertia_unchecked || !body.group.rotates() {
            continue;
        }
        let rows = body.inertia.each_ref().map(|row| {
            let entries = row.each_ref().map(|entry| late(model, entry));
            format!("[{}]", entries.join(", "))
        });
        let _ = writeln!(
            text,
            "rt::check_inertia({:?}, {{ let p = &self.late; [{}] }})?;",
            body.name.to_string(),
            rows.join(", ")
        );
    }
    text
}
