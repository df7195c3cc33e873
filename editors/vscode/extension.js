// Starts `pamela lsp` for models. Without the program, the grammar alone works.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** The text of derivations, by the identifiers of their documents. */
const derivations = new Map();

async function start() {
    const settings = vscode.workspace.getConfiguration("pamela");
    const command = settings.get("path");
    const server = { command, args: ["lsp", "--stdio"] };
    client = new LanguageClient("pamela", "PAMELA", server, {
        documentSelector: ["file", "untitled"].map((scheme) => ({ scheme, language: "pamela" })),
        initializationOptions: { values: settings.get("values") },
    });
    try {
        await client.start();
    } catch {
        client = undefined;
        vscode.window.showWarningMessage(
            `The program \`${command}\` cannot be started. Set "pamela.path" to have errors and closed forms.`,
        );
    }
}

/** Shows a result with its conditions and derivation beside the model. */
async function show(uri, name) {
    const params = { textDocument: { uri }, name };
    const answer = await client?.sendRequest("pamela/show", params);
    if (!answer) {
        return;
    }
    const place = vscode.Uri.from({ scheme: "pamela-result", path: `/${name}.pam` });
    derivations.set(place.toString(), answer.text);
    changed.fire(place);
    const document = await vscode.workspace.openTextDocument(place);
    const shown = await vscode.languages.setTextDocumentLanguage(document, "pamela");
    const column = vscode.ViewColumn.Beside;
    await vscode.window.showTextDocument(shown, { viewColumn: column, preview: true });
}

const changed = new vscode.EventEmitter();

async function activate(context) {
    const provider = {
        onDidChange: changed.event,
        provideTextDocumentContent: (uri) => derivations.get(uri.toString()) ?? "",
    };
    context.subscriptions.push(
        vscode.workspace.registerTextDocumentContentProvider("pamela-result", provider),
        vscode.commands.registerCommand("pamela.show", show),
        vscode.commands.registerCommand("pamela.restart", async () => {
            await client?.stop();
            await start();
        }),
    );
    await start();
}

function deactivate() {
    return client?.stop();
}

module.exports = { activate, deactivate };
