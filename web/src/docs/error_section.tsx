import type { ErrorRow } from './api_document';
import { useTexts } from './docs_context';
import { FieldTable } from './field_table';

const ERROR = { $ref: '#/components/schemas/Error' };

export function ErrorSection({ errors }: { errors: readonly ErrorRow[] }) {
  const texts = useTexts();
  return (
    <section id="errors" class="docs-group" aria-labelledby="errors-title">
      <h2 id="errors-title">{texts.errors}</h2>
      <p class="docs-lead">{texts.errorsLead}</p>
      <FieldTable schema={ERROR} isAnswer />
      <table class="fields errors" data-testid="errors">
        <thead>
          <tr>
            <th scope="col">{texts.code}</th>
            <th scope="col">{texts.status}</th>
            <th scope="col">{texts.tryAgain}</th>
            <th scope="col">{texts.meaning}</th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ code, status, retryable, text }) => (
            <tr key={code}>
              <th scope="row">
                <code>{code}</code>
              </th>
              <td>{status}</td>
              <td>{retryable ? texts.yes : texts.no}</td>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
