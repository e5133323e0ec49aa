#!/usr/bin/env python3
"""Runs all test vectors: python3 run_vectors.py [DIRECTORY]"""
import contextlib
import io
import json
import os
import sys

import verify

VERDICTS = {0: 'verified', 3: 'intact', 4: 'approval-missing', 1: 'refused', 2: 'not-verified'}
KNOWN = {'fingerprint', 'attachments', 'compare', 'revocations', 'trusted',
         'authorities', 'timestampAuthorities', 'trust'}


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, '..', '..', 'docs', 'evidence', 'vectors')
    with open(os.path.join(folder, 'vectors.json'), encoding='utf-8') as f:
        vectors = json.load(f)
    counts = {'agreed': 0, 'disagreed': 0, 'skipped': 0}
    for v in vectors:
        options = v['options']
        if set(options) - KNOWN:
            counts['skipped'] += 1
            print('SKIPPED', v['file'], sorted(set(options) - KNOWN))
            continue
        arguments = [os.path.join(folder, v['file'])]
        if 'fingerprint' in options:
            arguments.append(options['fingerprint'])
        for name, option, is_file in (('attachments', '--attachment', True), ('compare', '--compare', True), ('revocations', '--revocation', True),
                                      ('authorities', '--ca', True), ('timestampAuthorities', '--tsa', True),
                                      ('trust', '--trust', True),
                                      ('trusted', '--revoker', False)):
            for value in options.get(name, []):
                arguments += [option, os.path.join(folder, value) if is_file else value]
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                code = verify.main(arguments)
            except Exception as error:  # a verifier must not fail in another way
                code = 'exception'
                print(repr(error))
        last = out.getvalue().strip().split('\n')[-1]
        verdict = 'other-file' if code == 1 and last.startswith('INTACT') else VERDICTS.get(code)
        if verdict == v['verdict']:
            counts['agreed'] += 1
            if '-v' in sys.argv or os.environ.get('VERBOSE'):
                print('agreed', v['file'], '|', last, '|', v['because'])
        else:
            counts['disagreed'] += 1
            print('DISAGREED %s %s\n  vector: %s: %s\n  here: %s: %s' % (
                v['file'], json.dumps(options), v['verdict'], v['because'], verdict or code, last))
    print(', '.join('%s %d' % item for item in counts.items()))


if __name__ == '__main__':
    main()
