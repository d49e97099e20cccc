/** The weather of a city, now and for the next days. */

export interface Weather {
  /** City and country as the service names them: one line of letters, digits and common punctuation. */
  place: string;
  /** Local time of the observation, ISO 8601 without a zone. */
  time: string;
  /** Degrees Celsius. */
  temperature: number;
  feelsLike: number;
  /** Percent. */
  humidity: number;
  /** km/h. */
  windSpeed: number;
  /** WMO code of the present weather. */
  code: number;
  /** The next days, beginning with today. */
  days: { date: string; code: number; low: number; high: number; rainChance: number }[];
  /** True: the numbers are made up, for gateways without a weather service. */
  isSimulated: boolean;
}

/**
 * @example
 * import type { WeatherService } from './weather';
 *
 * // Knows one city, where the weather never changes.
 * export const fixedWeather: WeatherService = {
 *   async findWeather(city) {
 *     if (city !== 'Oslo') return undefined;
 *     const now = { temperature: 4, feelsLike: 1, humidity: 80, windSpeed: 12, code: 3 };
 *     return { place: 'Oslo, Norway', time: '2030-01-01T12:00', ...now, days: [], isSimulated: true };
 *   },
 * };
 */
export interface WeatherService {
  /** Finds the weather of a city. Resolves with undefined when no place has that name. Rejects with WeatherServiceError, WebError or the signal's reason. */
  findWeather(city: string, language: 'en' | 'zh', signal: AbortSignal): Promise<Weather | undefined>;
}

/** The service answered with an error or with data that cannot be read. The message is for people. */
export class WeatherServiceError extends Error {
  constructor(
    message: string,
    readonly messageZh: string,
    /** A retry may succeed. */
    readonly isTransient = false,
  ) {
    super(message);
  }
}
