//! All claims on one page, with their plots.

use super::claim::Verdict;
use super::report::Examined;
use crate::text::escaped;

const STYLE: &str = "body{font:15px/1.45 'Helvetica Neue',Helvetica,Arial,sans-serif;color:#222;\
max-width:1000px;margin:2em auto;padding:0 1em}h1{font-size:24px}h2{font-size:18px;margin-top:2.2em}\
table{border-collapse:collapse;margin:.6em 0}td,th{border:1px solid #ddd;padding:.3em .6em;\
text-align:left;vertical-align:top}th{background:#f6f6f6}.reproduced{color:#00734f}\
.in-part{color:#806000}.differs{color:#b34700}.not-yet{color:#777}img{width:100%;max-width:860px;display:block;\
margin:.8em 0}.source{color:#666}";

fn verdict(verdict: Verdict) -> String {
    let word = verdict.word();
    let class = word.replace(' ', "-");
    format!("<b class=\"{class}\">{word}</b>")
}

/// The page.
pub(crate) fn page(examined: &[Examined]) -> String {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <title>polhode: published results</title><style>{STYLE}</style></head>\n<body>\n\
         <h1>Published results, computed again</h1>\n\
         <p>Every number in the column \"here\" was computed by the run that wrote this page, \
         and the verdicts follow from them.</p>\n<table>\n\
         <tr><th>claim</th><th>shows</th><th>verdict</th></tr>\n"
    );
    for claim in examined {
        html += &format!(
            "<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td><td>{2}</td></tr>\n",
            claim.id,
            escaped(claim.shows),
            verdict(claim.verdict)
        );
    }
    html += "</table>\n";
    for claim in examined {
        html += &format!(
            "<h2 id=\"{0}\">{0}: {1}, {2}</h2>\n<p class=\"source\">{3} ({4}), {5}</p>\n",
            claim.id,
            escaped(claim.shows),
            verdict(claim.verdict),
            escaped(claim.paper.authors),
            claim.paper.year,
            escaped(claim.paper.place)
        );
        if let Some(missing) = claim.missing {
            html += &format!("<p>Missing: {}.</p>\n", escaped(missing));
            continue;
        }
        html += "<table><tr><th>statement</th><th>paper</th><th>here</th><th></th></tr>\n";
        for check in &claim.checks {
            let outcome = match (&check.instead, check.holds) {
                (_, true) => "holds".to_owned(),
                (Some(instead), false) => format!("does not hold: {}", escaped(instead)),
                (None, false) => "does not hold".to_owned(),
            };
            html += &format!(
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{outcome}</td></tr>\n",
                escaped(&check.statement),
                escaped(&check.paper),
                escaped(&check.ours)
            );
        }
        html += "</table>\n";
        for statement in claim.unchecked {
            html += &format!("<p>Not checked: {}.</p>\n", escaped(statement));
        }
        for (name, _) in claim.plots() {
            html += &format!("<img src=\"{name}.svg\" alt=\"plot of {}\">\n", claim.id);
        }
    }
    html + "</body></html>\n"
}
