/** An expected failure. `en` and `zh` say what went wrong and what to do next. */
export class Refusal extends Error {
  constructor(en, zh) {
    super(en);
    this.name = 'Refusal';
    this.texts = { en, 'zh-CN': zh };
  }

  /** Returns the text in the language of the request; English by default. */
  textFor(locale) {
    return this.texts[locale] ?? this.texts.en;
  }
}
