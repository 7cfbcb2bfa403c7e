import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { texts } from '../texts/en.ts';
import { useApi, usePoints } from './api.tsx';
import { usePreferences } from './preferences.tsx';
import styles from './shell.module.css';

/** What every view has: the way to the other views, the points, and the preferences of the reader. */
export function Shell() {
  const { skip } = texts.common;
  const main = useFocusOnNewView();
  return (
    <>
      <a className={styles.skip} href="#content">
        {skip}
      </a>
      <Header />
      <main id="content" className={styles.main} ref={main} tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}

/** Screen readers and the keyboard go on at the new view, not where the link was. */
function useFocusOnNewView() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current !== path) main.current?.focus();
    before.current = path;
  }, [path]);
  return main;
}

function Header() {
  const { product, navigation, views, signOut } = texts.common;
  const { session } = useApi();
  return (
    <header className={`${styles.header} no-print`}>
      <Link to="/rooms" className={styles.brand}>
        {product}
        {session.deployment !== undefined && <span className={styles.deployment}>{session.deployment}</span>}
      </Link>
      <nav aria-label={navigation} className={styles.views}>
        <Link to="/rooms" className={styles.view}>
          {views.rooms}
        </Link>
        <Link to="/transcriptions" className={styles.view}>
          {views.transcriptions}
        </Link>
        <Link to="/usage" className={styles.view}>
          {views.usage}
        </Link>
        <Link to="/webhooks" className={styles.view}>
          {views.webhooks}
        </Link>
      </nav>
      <div className={styles.aside}>
        <Points />
        <ThemeChoice />
        <ZoneChoice />
        {session.signOut && (
          <button type="button" className="button" onClick={() => void session.signOut?.()}>
            {signOut}
          </button>
        )}
      </div>
    </header>
  );
}

function Points() {
  const points = usePoints();
  if (!points) return null;
  return <span className={styles.points}>{texts.common.points(points.remaining, points.limit)}</span>;
}

function ThemeChoice() {
  const { theme, change } = usePreferences();
  const { label, system, light, dark } = texts.common.theme;
  return (
    <label>
      {label}
      <select
        className="select"
        value={theme}
        onChange={({ target }) => change({ theme: target.value as typeof theme })}
      >
        <option value="system">{system}</option>
        <option value="light">{light}</option>
        <option value="dark">{dark}</option>
      </select>
    </label>
  );
}

function ZoneChoice() {
  const { zone, change } = usePreferences();
  const { label, local, utc } = texts.common.times;
  return (
    <label>
      {label}
      <select className="select" value={zone} onChange={({ target }) => change({ zone: target.value as typeof zone })}>
        <option value="local">{local}</option>
        <option value="utc">{utc}</option>
      </select>
    </label>
  );
}
