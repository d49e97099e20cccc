/** The looks in which a state is photographed: theme, language and width of the window. */
export interface Look {
  readonly theme: 'light' | 'dark';
  readonly locale: 'en' | 'zh-CN';
  readonly width: 390 | 820 | 1440;
}

const HEIGHTS = { 390: 844, 820: 1100, 1440: 900 } as const;

/** Two looks of a pair differ in everything, and each theme, language and width is in two pairs. */
const PAIRS: readonly (readonly [Look, Look])[] = [
  [
    { theme: 'light', locale: 'en', width: 1440 },
    { theme: 'dark', locale: 'zh-CN', width: 390 },
  ],
  [
    { theme: 'dark', locale: 'en', width: 820 },
    { theme: 'light', locale: 'zh-CN', width: 1440 },
  ],
  [
    { theme: 'light', locale: 'en', width: 390 },
    { theme: 'dark', locale: 'zh-CN', width: 820 },
  ],
];

export const ALL_LOOKS: readonly Look[] = (['light', 'dark'] as const).flatMap(theme =>
  (['en', 'zh-CN'] as const).flatMap(locale => ([390, 820, 1440] as const).map(width => ({ theme, locale, width }))),
);

/** Returns the two looks of the state with this number. */
export function looksOf(index: number): readonly Look[] {
  return PAIRS[index % PAIRS.length] ?? [];
}

export const viewportOf = ({ width }: Look): { width: number; height: number } => ({ width, height: HEIGHTS[width] });
export const nameOfLook = ({ theme, locale, width }: Look): string => `${theme}-${locale}-${width}`;
