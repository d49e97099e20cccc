import type { Weather, WeatherService } from '../../port/weather';
import { placeName } from '../../utils/place_name';

const DAYS = 3;

/** Made-up weather, always the same numbers for the same city, for gateways without web access. */
export function createSimulatedWeather(clock: { now(): number }): WeatherService {
  return { findWeather: async city => simulateWeather(city, new Date(clock.now())) };
}

function simulateWeather(city: string, now: Date): Weather {
  const seed = [...city].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973, 7);
  const temperature = (seed % 35) - 3;
  const days = Array.from({ length: DAYS }, (_, day) => ({
    date: new Date(now.getTime() + day * 86_400_000).toISOString().slice(0, 10),
    code: (seed + day) % 4,
    low: temperature - 4,
    high: temperature + 4 + day,
    rainChance: (seed * (day + 3)) % 101,
  }));
  const time = now.toISOString().slice(0, 16);
  const windSpeed = seed % 40;
  return {
    place: placeName(city),
    time,
    temperature,
    feelsLike: temperature - 1,
    humidity: 30 + (seed % 60),
    windSpeed,
    code: seed % 4,
    days,
    isSimulated: true,
  };
}
