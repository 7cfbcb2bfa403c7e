import { useEffect } from 'react';
import { useApi } from '../../app/api.tsx';

const everyMs = 10_000;

/** Runs an action every 10 seconds, as long as the page can be seen and many points are left. */
export function useRegularly(action: () => void, isWanted: boolean): void {
  const { points } = useApi();
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && points.areMany) action();
    }, everyMs);
    return () => clearInterval(timer);
  }, [action, isWanted, points]);
}
