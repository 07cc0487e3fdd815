import type { Table } from "../../model/design.ts";
import { Identifiers } from "../output/identifiers.ts";
import type { Properties } from "./cloudformation-table.ts";
import type { Pattern } from "./parameter-patterns.ts";
import { cut } from "./short-name.ts";
import type { Data } from "./yaml.ts";

export type Resource = {
  readonly Type: string;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties: Properties;
};

export type ParameterDeclaration = {
  readonly Type: string;
  readonly Description: string;
  readonly Default?: string;
  readonly AllowedPattern?: string;
  readonly ConstraintDescription?: string;
};

export interface ParameterOptions {
  /** The table that it is about, if another one may have a parameter that is called the same. */
  readonly of?: Table;
  readonly otherwise?: string;
  readonly pattern?: Pattern;
  readonly type?: string;
}

export type OutputDeclaration = { readonly Description: string; readonly Value: Data };

export const ref = (name: string): Data => ({ Ref: name });
export const attribute = (name: string, which: string): Data => ({ "Fn::GetAtt": [name, which] });
/** The text has no sign that CloudFormation reads but those that are meant. */
export const sub = (text: string): Data => ({ "Fn::Sub": text });
/** Stands for "not given" in a parameter, which cannot be nothing. */
export const none = "none";

const descriptionMax = 1_024;
const parameterDescriptionMax = 4_000;

/** Collects the parts of a template. Its names are made here, so that nothing of the model is a key in it. */
export class TemplateMaker {
  readonly parameters = new Map<string, ParameterDeclaration>();
  readonly conditions = new Map<string, Data>();
  readonly resources = new Map<string, Resource>();
  readonly notes = new Map<string, string>();
  readonly outputs = new Map<string, OutputDeclaration>();
  readonly #names = new Identifiers("pascal");
  readonly #asked = new Map<string, string>();

  /** What a resource is called; asked again with the same words, the same. */
  name(...words: readonly string[]): string {
    return this.#nameOf("resource", words);
  }

  /** No two names of a template are equal, whatever they are of: for the CDK they are all of one kind. */
  #nameOf(kind: string, words: readonly string[]): string {
    const key = JSON.stringify([kind, ...words]);
    const name = this.#asked.get(key) ?? this.#names.of(...words);
    this.#asked.set(key, name);
    return name;
  }

  table({ name }: Pick<Table, "name">): string {
    return this.name(name, "table");
  }

  /** Declares a parameter and says what it is called. */
  parameter(
    words: readonly string[],
    description: string,
    { of, otherwise, pattern, type = "String" }: ParameterOptions = {},
  ): string {
    const name = this.parameterName(of, ...words);
    this.parameters.set(name, {
      Type: type,
      Description: cut(description, parameterDescriptionMax),
      ...(otherwise !== undefined && { Default: otherwise }),
      ...(pattern !== undefined && {
        AllowedPattern: pattern.regex,
        ConstraintDescription: pattern.says,
      }),
    });
    return name;
  }

  parameterName(of: Table | undefined, ...words: readonly string[]): string {
    return this.#nameOf(`parameter of ${of?.name ?? "all"}`, words);
  }

  /** Whether a parameter was given. */
  isGiven(parameter: string): string {
    const name = this.#nameOf("condition", ["has", parameter]);
    this.conditions.set(name, { "Fn::Not": [{ "Fn::Equals": [ref(parameter), none] }] });
    return name;
  }

  /** What it is for, if that is said, stands before it. */
  add(name: string, resource: Resource, note?: string): string {
    this.resources.set(name, resource);
    if (note !== undefined) this.notes.set(name, note);
    return name;
  }

  output(words: readonly string[], description: string, value: Data): void {
    this.outputs.set(this.#names.of(...words), {
      Description: cut(description, descriptionMax),
      Value: value,
    });
  }
}

/** A list with one member if a parameter was given, else nothing at all. */
export function ifGiven(condition: string, value: Data): Data {
  return { "Fn::If": [condition, [value], ref("AWS::NoValue")] };
}

/** A policy document. */
export function document(statements: readonly Data[]): Data {
  return { Version: "2012-10-17", Statement: statements };
}

export function allow(
  actions: readonly string[],
  resource: Data,
): { readonly [name: string]: Data } {
  return { Effect: "Allow", Action: actions, Resource: resource };
}

/** A role that a service takes on. */
export function roleFor(service: string, more: Properties): Resource {
  return {
    Type: "AWS::IAM::Role",
    Properties: {
      AssumeRolePolicyDocument: document([
        {
          Effect: "Allow",
          Action: "sts:AssumeRole",
          Principal: { Service: `${service}.amazonaws.com` },
        },
      ]),
      ...more,
    },
  };
}
