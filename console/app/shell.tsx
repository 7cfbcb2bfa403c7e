import { useMutation } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Loading } from '../parts/page/async-state.tsx';
import { Notice } from '../parts/page/notice.tsx';
import { texts } from '../texts/en.ts';
import { useApi, usePoints } from './api.tsx';
import { usePreferences } from './preferences.tsx';
import { sectionNames, sectionOf } from './sections.ts';
import styles from './shell.module.css';

/** What every view has: the way to the other views, the points, and the preferences of the reader. */
export function Shell() {
  const { skip } = texts.common;
  const main = useFocusOnNewView();
  useTitleOfSection();
  const signingOut = useSignOut();
  return (
    <>
      <a className={styles.skip} href="#content">
        {skip}
      </a>
      <Header signOut={signingOut?.mutate} />
      <main id="content" className={styles.main} ref={main} tabIndex={-1}>
        {signingOut && !signingOut.isIdle ? <SigningOut {...signingOut} /> : <Outlet />}
      </main>
    </>
  );
}

function useSignOut() {
  const { signOut } = useApi().session;
  const { mutate, error, isIdle } = useMutation({ mutationFn: async () => signOut?.() });
  return signOut && { mutate: () => mutate(), error, isIdle };
}

type SigningOutProps = { readonly error: Error | null; readonly mutate: () => void };

/** Takes the place of the view as soon as the reader signs out. */
function SigningOut({ error, mutate }: SigningOutProps) {
  const { signingOut, retry } = texts.common;
  if (!error) return <Loading text={signingOut.running} />;
  return (
    <Notice title={signingOut.failed} text={signingOut.failedRemedy} detail={error.message}>
      <button type="button" className="button" onClick={mutate}>
        {retry}
      </button>
    </Notice>
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

/** A view that has no title of its own has that of its section, and never that of the view before. Views set theirs after this. */
function useTitleOfSection(): void {
  const section = useRouterState({ select: ({ location }) => sectionOf(location.pathname) });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { views, product } = texts.common;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each view of a section begins with its title
  useLayoutEffect(() => {
    document.title = section === undefined ? product : `${views[section]} – ${product}`;
  }, [section, path, views, product]);
}

type SignOut = { readonly signOut: (() => void) | undefined };

function Header({ signOut }: SignOut) {
  const { product, menu } = texts.common;
  const { session } = useApi();
  const { isOpen, toggle, header } = useMenu();
  return (
    <header className={`${styles.header} no-print`} ref={header}>
      <Link to="/rooms" className={styles.brand}>
        {product}
        {session.deployment !== undefined && <span className={styles.deployment}>{session.deployment}</span>}
      </Link>
      <button
        type="button"
        className={`button ${styles.menu}`}
        aria-expanded={isOpen}
        aria-controls="menu"
        onClick={toggle}
      >
        {menu}
      </button>
      <div id="menu" className={styles.contents} data-open={isOpen}>
        <Views />
        <Aside signOut={signOut} />
      </div>
    </header>
  );
}

/** On a narrow screen, the header is a line with a button that opens the rest. A new view and Escape close it. */
function useMenu() {
  const [isOpen, setIsOpen] = useState(false);
  const header = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new view closes the menu
  useEffect(() => setIsOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setIsOpen(false);
      header.current?.querySelector('button')?.focus();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [isOpen]);
  return { isOpen, toggle: () => setIsOpen(!isOpen), header };
}

function Views() {
  const { navigation, views } = texts.common;
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <nav aria-label={navigation} className={styles.views}>
      {sectionNames.map((view) => (
        <Link
          key={view}
          to={`/${view}`}
          className={styles.view}
          activeOptions={{ includeSearch: false }}
          data-section={sectionOf(path) === view ? 'current' : undefined}
        >
          {views[view]}
        </Link>
      ))}
    </nav>
  );
}

function Aside({ signOut }: SignOut) {
  return (
    <div className={styles.aside}>
      <Points />
      <ThemeChoice />
      <ZoneChoice />
      {signOut && (
        <button type="button" className="button" onClick={signOut}>
          {texts.common.signOut}
        </button>
      )}
    </div>
  );
}

function Points() {
  const points = usePoints();
  if (!points) return null;
  return (
    <span className={styles.points} title={texts.common.pointsHelp}>
      {texts.common.points(points.remaining, points.limit)}
    </span>
  );
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
