//! Items of generated code, and what the interface requires.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, File, ImplItem, Item, Path, Signature, Stmt, Token, TraitItem};

/// What the traits of a system in the runtime require: `<Example as Trait>::Type`, and
/// `<Example as Trait>::function/3` for functions without a default.
pub(crate) fn asked_for() -> Vec<String> {
    let files = ["manifold", "mechanics", "constrained", "implicit", "bodies"];
    files.into_iter().flat_map(asked_in).collect()
}

fn asked_in(file: &str) -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/system");
    let text = std::fs::read_to_string(format!("{folder}/{file}.rs")).expect("the interface");
    let items = syn::parse_file(&text).expect("Rust").items.into_iter();
    let required = items.filter_map(|item| match item {
        Item::Trait(item) => Some(item),
        _ => None,
    });
    let required = required.flat_map(|item| {
        let name = item.ident.to_string();
        let items = item.items.into_iter().filter_map(|item| match item {
            TraitItem::Fn(item) if item.default.is_none() => Some(function(&item.sig)),
            TraitItem::Type(item) => Some(item.ident.to_string()),
            _ => None,
        });
        items.map(move |item| format!("<Example as {name}>::{item}"))
    });
    required.collect()
}

/// `name/3` for a function with three arguments.
fn function(signature: &Signature) -> String {
    format!("{}/{}", signature.ident, signature.inputs.len())
}

/// All items of generated code, those in blocks included: `struct Name`, `trait Name`,
/// `Name::function/2`, `Name::CONSTANT`, `<Name as Trait>::function/2`, and `<Name as Trait>` if that
/// is derived.
pub(crate) fn items(tokens: TokenStream) -> Vec<String> {
    let file: File = syn::parse2(tokens).expect("Rust");
    let mut found = Vec::new();
    collect(&file.items, &mut found);
    found.sort();
    found
}

fn is_derive(path: &Path) -> bool {
    path.segments
        .last()
        .is_some_and(|last| last.ident == "derive")
}

fn collect(items: &[Item], found: &mut Vec<String>) {
    for item in items {
        match item {
            Item::Struct(item) => {
                found.push(format!("struct {}", item.ident));
                let derived = item.attrs.iter().filter(|a| is_derive(a.path()));
                for path in derived.flat_map(|derive| {
                    let parse = Punctuated::<Path, Token![,]>::parse_terminated;
                    derive.parse_args_with(parse).expect("traits")
                }) {
                    let name = &path.segments.last().expect("a trait").ident;
                    found.push(format!("<{} as {name}>", item.ident));
                }
            }
            Item::Trait(item) => found.push(format!("trait {}", item.ident)),
            Item::Impl(item) => {
                let owner = item.self_ty.to_token_stream().to_string();
                let of = item.trait_.as_ref().map(|(path, _)| path);
                let of = of.and_then(|path| path.segments.last());
                let owner = of.map_or_else(
                    || owner.clone(),
                    |last| format!("<{owner} as {}>", last.ident),
                );
                // It may as well be derived.
                if owner.ends_with("as Default>") {
                    found.push(owner);
                    continue;
                }
                found.extend(item.items.iter().filter_map(|item| {
                    let name = match item {
                        ImplItem::Fn(item) => function(&item.sig),
                        ImplItem::Const(item) => item.ident.to_string(),
                        ImplItem::Type(item) => item.ident.to_string(),
                        _ => return None,
                    };
                    Some(format!("{owner}::{name}"))
                }));
            }
            Item::Const(item) => {
                if let Expr::Block(block) = &*item.expr {
                    let inside = block.block.stmts.iter().filter_map(|stmt| match stmt {
                        Stmt::Item(item) => Some(item.clone()),
                        _ => None,
                    });
                    collect(&inside.collect::<Vec<_>>(), found);
                }
            }
            _ => {}
        }
    }
}
