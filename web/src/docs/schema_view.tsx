import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { nameType, resolveSchema, type Schema, type Schemas } from './api_document';
import { useDocsTexts } from './docs_texts';
import { InlineCode } from './inline_code';

/** Lists the fields of a schema. Fields of an inner object open on demand, so that a schema that contains itself ends. */
export function SchemaView({ schema: given, schemas }: { schema: Schema; schemas: Schemas }) {
  const schema = innerObject(given, schemas);
  const fields = Object.entries(schema?.properties ?? {});
  if (!schema || fields.length === 0) return <code>{nameType(given, schemas)}</code>;
  return (
    <ul class="fields">
      {fields.map(([name, field]) => (
        <Field key={name} name={name} field={field} isRequired={schema.required?.includes(name) === true} schemas={schemas} />
      ))}
    </ul>
  );
}

interface FieldProps {
  name: string;
  field: Schema;
  isRequired: boolean;
  schemas: Schemas;
}

function Field({ name, field, isRequired, schemas }: FieldProps) {
  const texts = useDocsTexts();
  const { schema } = resolveSchema(field, schemas);
  const inner = innerObject(field, schemas);
  const limits = limitsOf(schema);
  return (
    <li>
      <code class="field-name">{name}</code> <span class="field-type">{nameType(field, schemas)}</span>
      {isRequired && <strong class="field-required"> {texts.required}</strong>}
      {limits && <span class="field-type"> {limits}</span>}
      {(field.description ?? schema.description) && (
        <div>
          <InlineCode text={field.description ?? schema.description ?? ''} />
        </div>
      )}
      {inner?.properties && <Inner title={texts.fieldsOf(name)}>{() => <SchemaView schema={inner} schemas={schemas} />}</Inner>}
    </li>
  );
}

/** Draws its content when it is opened. */
export function Inner({ title, children }: { title: string; children: () => ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="inner" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}

/** The object that a schema is, or whose list it is. */
function innerObject(given: Schema, schemas: Schemas): Schema | undefined {
  const { schema } = resolveSchema(given, schemas);
  if (schema.properties) return schema;
  if (schema.items) return innerObject(schema.items, schemas);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  return choices.map(choice => innerObject(choice, schemas)).find(found => found !== undefined);
}

function limitsOf({ minimum, maximum, maxLength, default: standard }: Schema): string {
  const limits = [
    minimum !== undefined && `≥ ${minimum}`,
    maximum !== undefined && `≤ ${maximum}`,
    maxLength !== undefined && `≤ ${maxLength}`,
    standard !== undefined && `= ${JSON.stringify(standard)}`,
  ];
  return limits.filter(Boolean).join(', ');
}
