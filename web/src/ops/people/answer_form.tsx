import { useId, useState } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import { useAction } from '../parts/use_action';
import { answerQuestion, type WaitingQuestion } from './people_api';
import { peopleTexts } from './people_texts';

const MAX_ANSWER = 20_000;

/** Answers a question in the place of the person. */
export function AnswerForm({ question: { requestId, question, choices = [] } }: { question: NonNullable<WaitingQuestion['question']> }) {
  const texts = peopleTexts[useLocale()];
  const canAnswer = useScope('ops:write');
  const { isBusy, run } = useAction();
  const [text, setText] = useState('');
  const id = useId();
  const send = (answer: string) => run(() => answerQuestion(requestId, answer), texts.answered);
  return (
    <>
      <p class="waiting-text">{question}</p>
      {!canAnswer && <p class="field-note">{texts.cannotAnswer}</p>}
      {canAnswer && (
        <>
          {choices.length > 0 && (
            <fieldset class="cell-actions waiting-choices">
              <legend class="visually-hidden">{texts.choices}</legend>
              {choices.map(choice => (
                <button
                  key={choice}
                  type="button"
                  class="button"
                  aria-disabled={isBusy}
                  data-testid="choice"
                  onClick={() => !isBusy && send(choice)}
                >
                  {choice}
                </button>
              ))}
            </fieldset>
          )}
          <form
            class="field"
            onSubmit={event => {
              event.preventDefault();
              if (text.trim() !== '') send(text.trim());
            }}
          >
            <label for={id}>{texts.answerFor}</label>
            <textarea
              id={id}
              value={text}
              maxLength={MAX_ANSWER}
              data-testid="answer-text"
              onInput={event => setText(event.currentTarget.value)}
            />
            <button type="submit" class="button primary" aria-disabled={isBusy || text.trim() === ''} data-testid="answer-send">
              {texts.send}
            </button>
          </form>
        </>
      )}
    </>
  );
}
