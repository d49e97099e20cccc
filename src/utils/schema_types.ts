/** Short forms of TypeBox for what most schemas of the gateway repeat. */
import {
  type ArrayOptions,
  type ObjectOptions,
  type SchemaOptions,
  type StringOptions,
  type TLiteralValue,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox';

/** An object for which an unknown field is an error. Requests are closed; answers stay open, because they grow by addition. */
export const closedObject = <P extends TProperties>(properties: P, options: ObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** One of these words. */
export const oneOf = <const T extends string>(values: readonly T[], options: SchemaOptions = {}) =>
  Type.Unsafe<T>(
    Type.Union(
      values.map(value => Type.Literal(value)),
      options,
    ),
  );

/** Fields that may be left out: `Optional.String(options)` is `Type.Optional(Type.String(options))`. */
export const Optional = {
  Array: <T extends TSchema>(items: T, options?: ArrayOptions) => Type.Optional(Type.Array(items, options)),
  Boolean: (options?: SchemaOptions) => Type.Optional(Type.Boolean(options)),
  Integer: (options?: Parameters<typeof Type.Integer>[0]) => Type.Optional(Type.Integer(options)),
  Literal: <T extends TLiteralValue>(value: T, options?: SchemaOptions) => Type.Optional(Type.Literal(value, options)),
  Number: (options?: Parameters<typeof Type.Number>[0]) => Type.Optional(Type.Number(options)),
  Object: <P extends TProperties>(properties: P, options?: ObjectOptions) => Type.Optional(Type.Object(properties, options)),
  OneOf: <const T extends string>(values: readonly T[], options?: SchemaOptions) => Type.Optional(oneOf(values, options)),
  String: (options?: StringOptions) => Type.Optional(Type.String(options)),
  Union: <T extends TSchema[]>(types: [...T], options?: SchemaOptions) => Type.Optional(Type.Union(types, options)),
  Unknown: (options?: SchemaOptions) => Type.Optional(Type.Unknown(options)),
};
