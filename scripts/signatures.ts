/**
 * Writes `lib/supervisor/SIGNATURES.md`: one table of the public verbs, made from what `deno doc` says of `mod.ts`. With
 * `--check` it writes nothing and fails where the file differs.
 */
import { fileURLToPath } from "node:url";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const TABLE = `${ROOT}lib/supervisor/SIGNATURES.md`;

/** A type as `deno doc` describes it. */
type Type =
  | { kind: "keyword"; value: string }
  | { kind: "literal"; repr: string }
  | { kind: "typeRef"; value: { typeName: string; typeParams?: Type[] | undefined } }
  | { kind: "array"; value: Type }
  | { kind: "union"; value: Type[] }
  | { kind: "intersection"; value: Type[] }
  | { kind: "parenthesized"; value: Type }
  | { kind: "typeOperator"; value: { operator: string; tsType: Type } }
  | { kind: "indexedAccess"; value: { objType: Type; indexType: Type } }
  | { kind: "fnOrConstructor"; value: { tsType: Type; params: Param[] } }
  | { kind: "typeLiteral"; value: { properties?: Property[] | undefined; methods?: Method[] | undefined } };
type Named = { kind: "identifier"; name: string; optional?: boolean | undefined; tsType?: Type | undefined };
type Param = Named | { kind: "assign"; left: Named } | { kind: "rest"; arg: Named; tsType: Type };
interface Property {
  name: string;
  optional?: boolean | undefined;
  readonly?: boolean | undefined;
  tsType: Type;
}
interface Method {
  name: string;
  params: Param[];
  returnType: Type;
}

// A kind of type that is not described here fails the parse: the table never leaves something out.
const type: z.ZodType<Type> = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("keyword"), value: z.string() }),
    z.object({ kind: z.literal("literal"), repr: z.string() }),
    z.object({
      kind: z.literal("typeRef"),
      value: z.object({ typeName: z.string(), typeParams: z.array(type).optional() }),
    }),
    z.object({ kind: z.literal("array"), value: type }),
    z.object({ kind: z.literal("union"), value: z.array(type) }),
    z.object({ kind: z.literal("intersection"), value: z.array(type) }),
    z.object({ kind: z.literal("parenthesized"), value: type }),
    z.object({ kind: z.literal("typeOperator"), value: z.object({ operator: z.string(), tsType: type }) }),
    z.object({ kind: z.literal("indexedAccess"), value: z.object({ objType: type, indexType: type }) }),
    z.object({
      kind: z.literal("fnOrConstructor"),
      value: z.object({ tsType: type, params: z.array(param) }),
    }),
    z.object({
      kind: z.literal("typeLiteral"),
      value: z.object({ properties: z.array(property).optional(), methods: z.array(method).optional() }),
    }),
  ])
);
const named: z.ZodType<Named> = z.lazy(() =>
  z.object({
    kind: z.literal("identifier"),
    name: z.string(),
    optional: z.boolean().optional(),
    tsType: type.optional(),
  })
);
const param: z.ZodType<Param> = z.lazy(() =>
  z.union([
    named,
    z.object({ kind: z.literal("assign"), left: named }),
    z.object({ kind: z.literal("rest"), arg: named, tsType: type }),
  ])
);
const property: z.ZodType<Property> = z.lazy(() =>
  z.object({
    name: z.string(),
    optional: z.boolean().optional(),
    readonly: z.boolean().optional(),
    tsType: type,
  })
);
const method: z.ZodType<Method> = z.lazy(() =>
  z.object({ name: z.string(), params: z.array(param), returnType: type })
);

const typeParam = z.object({ name: z.string(), constraint: type.optional() });

const jsDoc = z.object({
  doc: z.string().default(""),
  tags: z.array(z.object({ kind: z.string() })).default([]),
});
const declaration = z.object({
  def: z.object({
    properties: z.array(z.object({ name: z.string(), tsType: type, jsDoc: jsDoc.optional() })).default([]),
    methods: z.array(z.object({
      name: z.string(),
      kind: z.enum(["method", "getter"]),
      jsDoc: jsDoc.optional(),
      functionDef: z.object({
        params: z.array(param),
        returnType: type,
        typeParams: z.array(typeParam).default([]),
      }).optional(),
      params: z.array(param).optional(),
      returnType: type.optional(),
    })),
  }),
});
const documentation = z.object({
  nodes: z.record(
    z.string(),
    z.object({ symbols: z.array(z.object({ name: z.string(), declarations: z.array(z.unknown()) })) }),
  ),
});

/** A line of the table. */
interface Verb {
  readonly name: string;
  readonly signature: string;
  readonly what: string;
}

function typeText(t: Type): string {
  switch (t.kind) {
    case "keyword":
      return t.value;
    case "literal":
      return JSON.stringify(t.repr);
    case "typeRef": {
      const { typeName, typeParams = [] } = t.value;
      // The handle's public name.
      const name = typeName === "SupervisorHandle" ? "Supervisor" : typeName;
      return typeParams.length === 0 ? name : `${name}<${typeParams.map(typeText).join(", ")}>`;
    }
    case "array": {
      const of = typeText(t.value);
      return `${/[ |&]/.test(of) ? `(${of})` : of}[]`;
    }
    case "union":
      return t.value.map(typeText).join(" | ");
    case "intersection":
      return t.value.map(typeText).join(" & ");
    case "parenthesized":
      return `(${typeText(t.value)})`;
    case "typeOperator":
      return `${t.value.operator} ${typeText(t.value.tsType)}`;
    case "indexedAccess":
      return `${typeText(t.value.objType)}[${typeText(t.value.indexType)}]`;
    case "fnOrConstructor":
      return `(${paramsText(t.value.params)}) => ${typeText(t.value.tsType)}`;
    case "typeLiteral": {
      const { properties = [], methods = [] } = t.value;
      const members = [
        ...properties.map(({ name, optional, tsType }) =>
          `${name}${optional === true ? "?" : ""}: ${typeText(tsType)}`
        ),
        ...methods.map(({ name, params, returnType }) =>
          `${name}(${paramsText(params)}): ${typeText(returnType)}`
        ),
      ];
      return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
    }
  }
}

function paramsText(params: readonly Param[]): string {
  return params.map((each) => {
    if (each.kind === "rest") return `...${each.arg.name}: ${typeText(each.tsType)}`;
    const { name, optional, tsType } = each.kind === "assign" ? each.left : each;
    const mark = each.kind === "assign" || optional === true ? "?" : "";
    return `${name}${mark}: ${tsType === undefined ? "unknown" : typeText(tsType)}`;
  }).join(", ");
}

/** The first sentence of a doc comment. */
function sentence(doc: string): string {
  const text = (doc.split(/\n\s*\n|@\w+/)[0] ?? "").replaceAll(/\s+/g, " ").trim();
  return /^.*?[.!](?=\s|$)/.exec(text)?.[0] ?? text;
}

/** The documented members of a class or an interface; what is `@internal` is left out. */
function verbsOf(symbols: ReadonlyMap<string, unknown>, symbol: string, owner: string): Verb[] {
  const { def } = declaration.parse(symbols.get(symbol));
  const documented = (doc: z.infer<typeof jsDoc> | undefined) =>
    doc !== undefined && doc.tags.every(({ kind }) => kind !== "internal");
  return [
    ...def.properties.filter((each) => documented(each.jsDoc)).map((each) => ({
      name: `${owner}${each.name}`,
      signature: `${each.name}: ${typeText(each.tsType)}`,
      what: sentence(each.jsDoc?.doc ?? ""),
    })),
    ...def.methods.filter((each) => documented(each.jsDoc)).map((each) => {
      const { params, returnType } = z.object({ params: z.array(param), returnType: type })
        .parse(each.functionDef ?? each);
      const typeParams = (each.functionDef?.typeParams ?? []).map(({ name, constraint }) =>
        constraint === undefined ? name : `${name} extends ${typeText(constraint)}`
      );
      const bound = typeParams.length === 0 ? "" : `<${typeParams.join(", ")}>`;
      return {
        name: `${owner}${each.name}`,
        signature: each.kind === "getter"
          ? `${each.name}: ${typeText(returnType)}`
          : `${each.name}${bound}(${paramsText(params)}): ${typeText(returnType)}`,
        what: sentence(each.jsDoc?.doc ?? ""),
      };
    }),
  ];
}

function table(verbs: readonly Verb[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  return [
    "| verb | signature | what |",
    "|---|---|---|",
    ...verbs.map(({ name, signature, what }) =>
      `| \`${cell(name)}\` | \`${cell(signature)}\` | ${cell(what)} |`
    ),
  ].join("\n");
}

async function deno(args: readonly string[], input = ""): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`deno ${args[0]} failed: ${text(stderr)}`);
  return text(stdout);
}

async function generated(): Promise<string> {
  const { nodes } = documentation.parse(JSON.parse(await deno(["doc", "--json", "mod.ts"])));
  const symbols = new Map(
    Object.values(nodes).flatMap((node) => node.symbols.map((each) => [each.name, each.declarations[0]])),
  );
  const markdown = `# Signatures

Made from \`mod.ts\` by \`deno run -A scripts/signatures.ts\`; a test fails where it is out of date.

## Doors: \`Supervisor\`

${table(verbsOf(symbols, "Doors", "Supervisor."))}

## A handle: \`const lab = await Supervisor.create(…)\`

${table(verbsOf(symbols, "SupervisorHandle", "lab."))}

## Its queue

${table(verbsOf(symbols, "QueueVerbs", "lab.queue."))}

## Its prompts

${table(verbsOf(symbols, "PromptVerbs", "lab.prompts."))}

## Its plots

${table(verbsOf(symbols, "Plots", "lab.plots."))}

## What \`start\` returns

${table(verbsOf(symbols, "StartedRun", "run."))}
`;
  return await deno(["fmt", "--ext", "md", "-"], markdown);
}

const now = await generated();
if (Deno.args.includes("--check")) {
  if (now !== await Deno.readTextFile(TABLE)) {
    throw new Error(`${TABLE} is out of date. Run: deno run -A scripts/signatures.ts`);
  }
} else {
  await Deno.writeTextFile(TABLE, now);
}
