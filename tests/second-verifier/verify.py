#!/usr/bin/env python3
"""Independent verifier of evidence packs, from the documents alone.

python3 verify.py FILE [FINGERPRINT]
                  [--attachment FILE]... [--compare OTHER] [--ca FILE] [--tsa FILE]
                  [--revocation FILE]... [--revoker FINGERPRINT]... [--trust FILE]
Exit: 0 verified, key compared; 3 intact, signer unknown; 4 intact, approval missing;
      1 refused; 2 unreadable file or invalid arguments.
"""
import base64
import datetime
import hashlib
import re
import sys
import time

MAX_DEPTH = 64
SAFE = 2 ** 53 - 1
MAX_TIME = 8640000000000000


class Refused(Exception):
    pass


class Unreadable(Exception):
    pass


def need(condition, reason):
    if not condition:
        raise Refused(reason)


# ---------------------------------------------------------------- JSON

NUMBER = re.compile(r'-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?')
CHUNK = re.compile(r'[^"\\\x00-\x1f]*')
HEX4 = re.compile(r'[0-9a-fA-F]{4}')
SIMPLE_ESCAPE = {'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
SURROGATE = re.compile('[\ud800-\udfff]')


def join_surrogates(text):
    """Makes one character of each surrogate pair; lone surrogates stay."""
    if SURROGATE.search(text):
        return text.encode('utf-16-le', 'surrogatepass').decode('utf-16-le', 'surrogatepass')
    return text


class Parser:
    """Strict JSON without white space (no text checked here may contain any outside strings)."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def parse(self):
        value = self.value(0)
        need(self.at == len(self.text), 'JSON: more follows the value')
        return value

    def peek(self):
        return self.text[self.at:self.at + 1]

    def expect(self, character):
        need(self.peek() == character, 'JSON: %r expected at %d' % (character, self.at))
        self.at += 1

    def value(self, depth):
        c = self.peek()
        if c == '{':
            return self.object(depth + 1)
        if c == '[':
            return self.list(depth + 1)
        if c == '"':
            return self.string()
        for word, value in (('true', True), ('false', False), ('null', None)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        return self.number()

    def number(self):
        match = NUMBER.match(self.text, self.at)
        need(match, 'JSON: no value at %d' % self.at)
        self.at = match.end()
        text = match.group()
        if match.group(1) is None and match.group(2) is None and len(text) <= 17 and text != '-0':
            number = int(text)
            if abs(number) <= SAFE:
                return number
        number = float(text)
        need(number not in (float('inf'), float('-inf')), 'JSON: number out of range')
        if number == int(number) and abs(number) <= SAFE:
            return int(number)
        return number

    def string(self):
        self.expect('"')
        pieces = []
        while True:
            match = CHUNK.match(self.text, self.at)
            pieces.append(match.group())
            self.at = match.end()
            c = self.peek()
            if c == '"':
                self.at += 1
                return join_surrogates(''.join(pieces))
            need(c == '\\', 'JSON: control character or end in a text')
            e = self.text[self.at + 1:self.at + 2]
            if e == 'u':
                digits = HEX4.match(self.text, self.at + 2)
                need(digits, 'JSON: invalid escape')
                pieces.append(chr(int(digits.group(), 16)))
                self.at += 6
            else:
                need(e in SIMPLE_ESCAPE and e != '', 'JSON: invalid escape')
                pieces.append(SIMPLE_ESCAPE[e])
                self.at += 2

    def list(self, depth):
        need(depth <= MAX_DEPTH, 'JSON: nested deeper than %d levels' % MAX_DEPTH)
        self.expect('[')
        result = []
        if self.peek() == ']':
            self.at += 1
            return result
        while True:
            result.append(self.value(depth))
            if self.peek() == ',':
                self.at += 1
                continue
            self.expect(']')
            return result

    def object(self, depth):
        need(depth <= MAX_DEPTH, 'JSON: nested deeper than %d levels' % MAX_DEPTH)
        self.expect('{')
        result = {}
        if self.peek() == '}':
            self.at += 1
            return result
        while True:
            name = self.string()
            need(name not in result, 'JSON: duplicate name %r' % name)
            self.expect(':')
            result[name] = self.value(depth)
            if self.peek() == ',':
                self.at += 1
                continue
            self.expect('}')
            return result


def write_number(number):
    """ECMAScript's Number::toString."""
    if isinstance(number, int):
        return str(number)
    if number == 0:
        return '0'
    sign = '-' if number < 0 else ''
    text = repr(abs(number))
    mantissa, _, exponent = text.partition('e')
    whole, _, fraction = mantissa.partition('.')
    digits = whole + fraction
    point = len(whole) + (int(exponent) if exponent else 0)
    stripped = digits.lstrip('0')
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip('0')
    k = len(digits)
    if k <= point <= 21:
        body = digits + '0' * (point - k)
    elif 0 < point <= 21:
        body = digits[:point] + '.' + digits[point:]
    elif -6 < point <= 0:
        body = '0.' + '0' * -point + digits
    else:
        e = point - 1
        body = digits[0] + ('.' + digits[1:] if k > 1 else '') + 'e' + ('+' if e > 0 else '-') + str(abs(e))
    return sign + body


TO_ESCAPE = re.compile('["\\\\\x00-\x1f]')
SHORT = {'"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t'}


def write_text(text):
    return '"' + TO_ESCAPE.sub(lambda m: SHORT.get(m.group()) or '\\u%04x' % ord(m.group()), text) + '"'


def utf16(text):
    return text.encode('utf-16-be', 'surrogatepass')


def write_json(value):
    if value is None:
        return 'null'
    if value is True:
        return 'true'
    if value is False:
        return 'false'
    if isinstance(value, str):
        return write_text(value)
    if isinstance(value, (int, float)):
        return write_number(value)
    if isinstance(value, (list, tuple)):
        return '[' + ','.join(write_json(v) for v in value) + ']'
    names = sorted(value, key=utf16)
    return '{' + ','.join(write_text(n) + ':' + write_json(value[n]) for n in names) + '}'


def canonical(value):
    return write_json(value).encode('utf-8')


def parse_canonical(data, what, line_feed=False):
    try:
        text = data.decode('utf-8')
    except UnicodeDecodeError:
        raise Refused(what + ' is not UTF-8')
    if line_feed:
        need(text.endswith('\n'), what + ' does not end with a line feed')
        text = text[:-1]
    value = Parser(text).parse()
    # an unpaired surrogate is in no text of UTF-8, so its escape is refused here
    need(write_json(value) == text, what + ' is not canonical JSON')
    return value


# ---------------------------------------------------------------- forms

HEX = re.compile(r'[0-9a-f]*\Z')


def is_int(value, low=0, high=SAFE):
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def is_time(value):
    return is_int(value, -MAX_TIME, MAX_TIME)


def is_hex(value, size):
    return isinstance(value, str) and len(value) == 2 * size and HEX.match(value) is not None


def is_text(value):
    return isinstance(value, str)


def members(value, names, what):
    need(isinstance(value, dict), what + ' is not an object')
    missing = sorted(set(names) - set(value))
    more = sorted(set(value) - set(names))
    need(not missing, '%s: %s is missing' % (what, ', '.join(missing)))
    need(not more, '%s: %s is not allowed' % (what, ', '.join(repr(m) for m in more)))


def a_list(value, what):
    need(isinstance(value, list), what + ' is not a list')
    return value


def unbase64(text, what):
    need(is_text(text), what + ' is not a text')
    try:
        data = base64.b64decode(text.encode('ascii'), validate=True)
    except ValueError:
        raise Refused(what + ' is not base64')
    need(base64.b64encode(data).decode() == text, what + ' is not the base64 of its bytes')
    return data


def sha256(*parts):
    return hashlib.sha256(b''.join(parts)).digest()


def sha256_hex(*parts):
    return sha256(*parts).hex()


# ---------------------------------------------------------------- Ed25519 (RFC 8032)

P = 2 ** 255 - 19
L = 2 ** 252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_MINUS_1 = pow(2, (P - 1) // 4, P)
SMALL = {n.to_bytes(32, 'little') for n in (0, 1, P - 1, P, P + 1)} | {
    bytes.fromhex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
    bytes.fromhex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')}


def point_add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def point_mul(scalar, p):
    q = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            q = point_add(q, p)
        p = point_add(p, p)
        scalar >>= 1
    return q


def point_decode(data):
    y = int.from_bytes(data, 'little')
    sign = y >> 255
    y &= (1 << 255) - 1
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return None if sign else (0, y, 1, 0)
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * ROOT_MINUS_1 % P
    if (x * x - x2) % P:
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def point_encode(p):
    z = pow(p[2], P - 2, P)
    x, y = p[0] * z % P, p[1] * z % P
    return (y | (x & 1) << 255).to_bytes(32, 'little')


BASE = point_decode((4 * pow(5, P - 2, P) % P).to_bytes(32, 'little'))


def small_order(key):
    return key[:31] + bytes([key[31] & 127]) in SMALL


def ed25519_verify(key, message, signature):
    if len(key) != 32 or len(signature) != 64 or small_order(key):
        return False
    a = point_decode(key)
    if a is None:
        return False
    r, s = signature[:32], int.from_bytes(signature[32:], 'little')
    if s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(r + key + message).digest(), 'little') % L
    minus_a = ((P - a[0]) % P, a[1], 1, (P - a[3]) % P)
    return point_encode(point_add(point_mul(s, BASE), point_mul(k, minus_a))) == r


def check_signature(key, message, signature, what):
    need(not small_order(key), what + ': the key is of small order')
    need(ed25519_verify(key, message, signature), what + ': the signature is not valid')


# ---------------------------------------------------------------- tree (RFC 9162)

def leaf_hash(data):
    return sha256(b'\x00', data)


def node_hash(left, right):
    return sha256(b'\x01', left, right)


def split(size):
    """The largest power of two smaller than size."""
    return 1 << (size - 1).bit_length() - 1


def subtrees(index, size):
    """The ranges that the nodes of an inclusion proof cover, from the leaf to the root:
    [(range of the proof's node, is it on the left), ...]."""
    low, high, down = 0, size, []
    while high - low > 1:
        middle = low + split(high - low)
        if index < middle:
            down.append(((middle, high), False, (low, high)))
            high = middle
        else:
            down.append(((low, middle), True, (low, high)))
            low = middle
    return down[::-1]


def check_inclusion(index, size, leaf, path, root, ranges, what):
    """RFC 9162, 2.1.3.2; notes in ranges the hash of each range of leaves that is proved."""
    need(index < size, what + ': its number is above the size of the tree')
    steps = subtrees(index, size)
    need(len(path) == len(steps), what + ': the inclusion proof has the wrong length')
    found = [((index, index + 1), leaf)]
    node = leaf
    for sibling, (span, left, whole) in zip(path, steps):
        found.append((span, sibling))
        node = node_hash(sibling, node) if left else node_hash(node, sibling)
        found.append((whole, node))
    need(node == root, what + ': the inclusion proof does not lead to the root')
    for span, value in found:
        note(ranges, span, value)


def note(ranges, span, value):
    need(ranges.setdefault(span, value) == value, 'two different hashes for leaves %d to %d' % span)


def check_consistency(first, second, first_root, second_root, path):
    """RFC 9162, 2.1.4.2, for 0 < first < second."""
    path = list(path)
    need(path, 'consistency: the proof is empty')
    if first & (first - 1) == 0:
        path.insert(0, first_root)
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn >>= 1
        sn >>= 1
    fr = sr = path[0]
    for c in path[1:]:
        need(sn != 0, 'consistency: the proof is too long')
        if fn & 1 or fn == sn:
            fr, sr = node_hash(c, fr), node_hash(c, sr)
            while fn and not fn & 1:
                fn >>= 1
                sn >>= 1
        else:
            sr = node_hash(sr, c)
        fn >>= 1
        sn >>= 1
    need(fr == first_root, 'consistency: the proof does not give the earlier root')
    need(sr == second_root and sn == 0, 'consistency: the proof does not give the root')


def consistency_spans(first, second):
    """The range of each node of a consistency proof (RFC 9162, 2.1.4.1), in its order."""
    def sub(m, low, high, complete):
        if m == high - low:
            return [] if complete else [(low, high)]
        k = split(high - low)
        if m <= k:
            return sub(m, low, low + k, complete) + [(low + k, high)]
        return sub(m - k, low + k, high, False) + [(low, low + k)]
    return sub(first, 0, second, True)


def range_root(ranges, low, high):
    """The root over leaves low to high, from known ranges, or None."""
    if (low, high) in ranges:
        return ranges[(low, high)]
    if high - low == 1:
        return None
    middle = low + split(high - low)
    left = range_root(ranges, low, middle)
    right = left and range_root(ranges, middle, high)
    return node_hash(left, right) if right else None


def fingerprint(key_hex):
    return sha256_hex(bytes.fromhex(key_hex))


# ---------------------------------------------------------------- events and responses

# by kind the names of the tables: in plain, and in sealed
COLUMNS = {
    'connection.noted': ('ref snapshot', ''),
    'record.begun': ('id operation connection path linksScrubbed credentialFingerprint consoleVersion operator timeZone rerunOf batchId batchRow', 'input applicantId documents corrections'),
    'record.ended': ('outcome took failureCode reply', 'message statusText headers failure'),
    'record.resolved': ('as operator', 'note'),
    'document.kept': ('operator field when', 'type bytes sha256 name'),
    'document.missed': ('field reason', ''),
    'batch.made': ('id operations connection sha256 rows operator rerunOf', ''),
    'batch.changed': ('id from to reason by operator', ''),
    'batch.resolved': ('id rows as operator', ''),
    'pack.made': ('operator about id profile series', 'applicantId'),
    'checklist.noted': ('ref text', ''),
    'subject.erased': ('id cause subjects records batchRows documents operator', 'reason'),
    'decision.made': ('operator decision evidence records readings checklist due supersedes set seen requires rule', 'reasons note checks seenList focus'),
    'note.made': ('operator', 'text'),
    'tags.changed': ('operator', 'tags'),
    'due.changed': ('operator due', ''),
    'relationship.changed': ('operator state on', 'note'),
    'expiry.noted': ('operator', 'document expires'),
    'review.recorded': ('operator on class next due outcome checklist', 'note checks'),
    'challenge.recorded': ('operator', 'text'),
    'risk.rated': ('operator class months', 'note'),
    'link.made': ('operator', 'applicantId'),
    'link.removed': ('operator', ''),
    'approval.asked': ('operator scope decision evidence', 'note'),
    'approval.answered': ('operator asked scope agrees salt signer signature', 'applicantId note'),
    'approval.received': ('operator asked answer at by scope agrees salt signer signature void', 'note')}
ADDED = ('connection.noted', 'checklist.noted', 'subject.erased')
LISTED = tuple(kind for kind in COLUMNS if kind not in ADDED)
COUNTED = ('decision.made', 'record.begun')
OF_RECORD = ('record.begun', 'record.ended', 'record.resolved')


class Value:
    """A value that an event can have: given, withheld or absent."""

    def __init__(self, state, value=None):
        self.state = state
        self.value = value


EVENT = ('version', 'seq', 'at', 'kind', 'subject', 'record', 'links', 'plain', 'sealed', 'previous', 'hash', 'path')


class Part:
    def __init__(self, p, extra, what, salts, may_be_erased):
        need(isinstance(p, dict), what + ' is not an object')
        self.erased = may_be_erased and 'values' in p
        if self.erased:
            members(p, ('values',) + extra, what)
            need(is_hex(p['values'], 32), what + ': not a hash')
            self.values, self.shown, self.withheld = p['values'], {}, []
            return
        members(p, ('shown', 'withheld') + extra, what)
        self.shown, names, digests = {}, [], []
        for item in a_list(p['shown'], what + ': shown'):
            need(isinstance(item, list) and len(item) == 3, what + ': a value is not a list of three')
            salt, name, value = item
            need(is_hex(salt, 16) and is_text(name), what + ': a value has no salt or name')
            need(salt not in salts, what + ': a salt occurs twice')
            salts.add(salt)
            need(name not in self.shown, what + ': a name occurs twice')
            self.shown[name] = value
            names.append(utf16(name))
            digests.append(sha256_hex(canonical(item)))
        need(all(a < b for a, b in zip(names, names[1:])), what + ': values are not in the order of their names')
        self.withheld = a_list(p['withheld'], what + ': withheld')
        need(all(is_hex(d, 32) for d in self.withheld), what + ': withheld is not a list of hashes')
        need(all(a < b for a, b in zip(self.withheld, self.withheld[1:])), what + ': withheld is not ascending')
        need(not set(digests) & set(self.withheld), what + ': a value is shown and withheld')
        self.values = sha256_hex(canonical(sorted(digests + self.withheld)))


class Event:
    def __init__(self, e, salts):
        members(e, EVENT, 'event')
        need(is_int(e['seq'], 1), 'event: seq is not a number of an event')
        self.what = what = 'event %d' % e['seq']
        need(e['version'] == 1 and is_int(e['version']), what + ': version')
        self.seq, self.at, self.kind, self.subject, self.record = (
            e['seq'], e['at'], e['kind'], e['subject'], e['record'])
        need(is_time(self.at) and is_text(self.kind), what + ': at or kind has another type')
        need(self.subject is None or is_int(self.subject, 1), what + ': subject has another type')
        need(self.record is None or is_int(self.record, 1), what + ': record has another type')
        for name in ('previous', 'hash'):
            need(is_hex(e[name], 32), what + ': %s is not a hash' % name)
        self.previous, self.hash = bytes.fromhex(e['previous']), bytes.fromhex(e['hash'])
        need(all(is_hex(h, 32) for h in a_list(e['path'], what + ': path')), what + ': path is not a list of hashes')
        self.path = [bytes.fromhex(h) for h in e['path']]
        self.links = e['links']
        need(isinstance(self.links, dict) and set(self.links) <= {'all', 'subject', 'record', 'batch'}, what + ': links')
        for name, link in self.links.items():
            need(isinstance(link, list) and len(link) == 2 and is_int(link[0], 1) and is_int(link[1], 0),
                 what + ': links.%s has another type' % name)
            need((link[0] == 1) == (link[1] == 0), what + ': links.%s: n is 1 exactly if before is 0' % name)
            need(link[1] < self.seq, what + ': links.%s: before is not smaller than seq' % name)
        self.plain = Part(e['plain'], (), what + ': plain', salts, False)
        self.sealed = None if e['sealed'] is None else Part(e['sealed'], (), what + ': sealed', salts, True)
        hashed = {'at': self.at, 'kind': self.kind, 'links': self.links, 'plain': self.plain.values,
                  'previous': e['previous'], 'record': self.record, 'sealed': self.sealed and self.sealed.values,
                  'seq': self.seq, 'subject': self.subject, 'version': 1}
        need(sha256(canonical(hashed)) == self.hash, what + ': hash does not match')

    def get(self, part, name):
        p = self.plain if part == 'plain' else self.sealed
        if p is None:
            return Value('absent')
        if name in p.shown:
            return Value('given', p.shown[name])
        return Value('withheld' if p.erased or p.withheld else 'absent')

    def withheld_all(self):
        parts = [p for p in (self.plain, self.sealed) if p is not None and not p.erased]
        return any(p.withheld for p in parts) and not any(p.shown for p in parts)


class Response:
    def __init__(self, b, salts):
        need(isinstance(b, dict) and is_int(b.get('record'), 1), 'response: record has another type')
        self.record = b['record']
        what = 'response of record %d' % self.record
        need(b.get('version') == 1 and is_int(b['version']), what + ': version')
        self.part = Part(b, ('record', 'version'), what, salts, True)


ABOUT = ('record', 'batch', 'applicant')
PROFILES = ('full', 'no-personal-data')


class Result:
    """What a pack that passed its checks says."""

    def __init__(self):
        self.notes = []
        self.ranges = {}
        self.key = None
        self.root = None
        self.size = None
        self.consistency = None
        self.attachments = []
        self.foreign = []
        self.made_at = None


def check_events(events, size, root, result):
    need(all(a.seq < b.seq for a, b in zip(events, events[1:])), 'events are not in ascending order')
    for a, b in zip(events, events[1:]):
        if b.seq == a.seq + 1:
            need(b.previous == a.hash, b.what + ': previous is not the hash of the event before it')
    note(result.ranges, (0, size), root)
    for e in events:
        if e.seq == 1:
            need(e.previous == bytes(32), 'event 1: previous is not zero')
        check_inclusion(e.seq - 1, size, leaf_hash(e.hash), e.path, root, result.ranges, e.what)
    for e in events:
        if e.seq > 1:
            note(result.ranges, (e.seq - 2, e.seq - 1), leaf_hash(e.previous))


def erased_later(event, events):
    """Does a later event that is shown record that the key of this event's person is gone?"""
    for e in events:
        subjects = e.plain.shown.get('subjects') if e.kind == 'subject.erased' and e.seq > event.seq else None
        if isinstance(subjects, list) and any(is_int(s, 1) and s == event.subject for s in subjects):
            return True
    return False


def check_erasure(events, bodies, result):
    persons = {}
    end_of = {e.record: e for e in events if e.kind == 'record.ended'}
    sealed = [(e, e.sealed) for e in events if e.sealed is not None] + [(end_of[b.record], b.part) for b in bodies]
    for e, part in sealed:
        persons.setdefault(e.subject, []).append((e, part))
    erased = []
    for person, parts in persons.items():
        gone = [e for e, part in parts if part.erased]
        if not gone:
            continue
        need(person is not None, '%s: erased, but about nobody' % gone[0].what)
        need(len(gone) == len(parts), 'person %d: some sealed parts are erased and others are not' % person)
        for e in gone:
            need(erased_later(e, events), e.what + ': erased, but no later event says so')
        erased.append(person)
    if erased:
        result.notes.append('sealed parts not given (erased): person %s' % ', '.join(map(str, erased)))


def report_withheld(events, result):
    counts = {}
    for e in events:
        if e.withheld_all():
            counts[e.kind] = counts.get(e.kind, 0) + 1
    for kind, n in sorted(counts.items()):
        result.notes.append('all values withheld: %d of %s' % (n, kind))


def check_records(events):
    """Each record has one record.begun, at most one record.ended, and one subject."""
    begun, ended, resolved = {}, {}, {}
    for e in events:
        if e.kind.startswith('record.'):
            for kind, table in (('record.begun', begun), ('record.ended', ended), ('record.resolved', resolved)):
                if e.kind == kind:
                    need(e.record not in table, 'record %s has two %s' % (e.record, kind))
                    table[e.record] = e
    for e in events:
        if e.kind.startswith('record.'):
            need(e.record is not None, e.what + ': names no record')
            need(e.record in begun, 'record %s has no record.begun' % e.record)
            need(e.subject == begun[e.record].subject, 'record %s has two subjects' % e.record)
    return begun, ended


def equals(event, part, name, wanted):
    """Is the value the wanted one? A withheld value is not compared."""
    value = event.get(part, name)
    if value.state == 'withheld':
        return True
    return value.state == 'given' and is_text(value.value) and value.value == wanted


# ---------------------------------------------------------------- the pack

PACK_TYPE = 'application/vnd.veridesk.evidence+json'
REVOCATION_TYPE = 'application/vnd.veridesk.revocation+json'


def open_envelope(envelope, payload_type, what):
    """Returns content bytes, PAE, keyid, signature."""
    members(envelope, ('payload', 'payloadType', 'signatures'), what)
    need(envelope['payloadType'] == payload_type, what + ': payloadType is another')
    signatures = a_list(envelope['signatures'], what + ': signatures')
    need(len(signatures) == 1, what + ': not exactly one signature')
    members(signatures[0], ('keyid', 'sig'), what + ': signature')
    need(is_hex(signatures[0]['keyid'], 32), what + ': keyid is not a fingerprint')
    content = unbase64(envelope['payload'], what + ': payload')
    signature = unbase64(signatures[0]['sig'], what + ': sig')
    need(len(signature) == 64, what + ': sig has not 64 bytes')
    t = payload_type.encode()
    pae = b'DSSEv1 %d %s %d %s' % (len(t), t, len(content), content)
    return content, pae, signatures[0]['keyid'], signature


def check_envelope_signature(key_hex, pae, keyid, signature, what):
    need(keyid == fingerprint(key_hex), what + ': keyid is not the fingerprint of the key')
    check_signature(bytes.fromhex(key_hex), pae, signature, what)


CHECKPOINT = re.compile('(veridesk/[0-9a-f]{32})\n([1-9][0-9]*)\n([A-Za-z0-9+/=]+)\n\n'
                        '\u2014 (veridesk/[0-9a-f]{32}) ([A-Za-z0-9+/=]+)\n\\Z')


def verify(file):
    result = Result()
    members(file, ('format', 'version', 'envelope', 'timestamps'), 'file')
    # 1 and 2: form and signature
    data, pae, keyid, signature = open_envelope(file['envelope'], PACK_TYPE, 'envelope')
    content = parse_canonical(data, 'content')
    members(content, ('about', 'attachments', 'bodies', 'consistency', 'console', 'events', 'origin', 'profile',
                      'root', 'signer', 'size'), 'content')
    signer, about, profile = content['signer'], content['about'], content['profile']
    members(signer, ('certificates', 'key'), 'signer')
    need(is_hex(signer['key'], 32), 'signer.key is not a key')
    key = bytes.fromhex(signer['key'])
    check_envelope_signature(signer['key'], pae, keyid, signature, 'envelope')
    result.key = signer['key']
    result.certificates = [unbase64(c, 'certificate') for c in a_list(signer['certificates'], 'certificates')]
    if result.certificates:
        need(safe(lambda: Certificate(result.certificates[0]).ed25519_key()) == key, 'the first certificate has another key')
    members(about, ('kind', 'id'), 'about')
    need(about['kind'] in ABOUT, 'about.kind is unknown')
    need(about['id'] is None or is_text(about['id']), 'about.id is not a text')
    need(profile in PROFILES, 'profile is unknown')
    need(is_text(content['console']), 'console is not a text')
    names = set()
    for a in a_list(content['attachments'], 'attachments'):
        members(a, ('bytes', 'name', 'sha256'), 'attachment')
        need(is_int(a['bytes'], 0) and is_text(a['name']) and is_hex(a['sha256'], 32), 'attachment has another type')
        need(a['name'] not in names, 'two attachments have one name')
        names.add(a['name'])
    result.attachments = content['attachments']
    salts = set()
    events = []
    for e in a_list(content['events'], 'events'):
        need(isinstance(e, dict), 'event is not an object')
        events.append(Event(e, salts))
    need(events, 'there is no event')
    bodies = []
    for b in a_list(content['bodies'], 'bodies'):
        need(isinstance(b, dict), 'response is not an object')
        bodies.append(Response(b, salts))
    need(all(a.record < b.record for a, b in zip(bodies, bodies[1:])), 'bodies are not in ascending order')
    result.timestamps = [unbase64(t, 'time-stamp') for t in a_list(file['timestamps'], 'timestamps')]
    # 3 and 4: events and tree
    origin, size = content['origin'], content['size']
    members(origin, ('leaf', 'path'), 'origin')
    path = a_list(origin['path'], 'origin: path')
    need(is_hex(origin['leaf'], 32) and all(is_hex(h, 32) for h in path), 'origin has another type')
    need(is_hex(content['root'], 32) and is_int(size, 1), 'root or size has another type')
    root = bytes.fromhex(content['root'])
    result.size, result.root = size, root
    check_events(events, size, root, result)
    check_inclusion(0, size, leaf_hash(bytes.fromhex(origin['leaf'])), [bytes.fromhex(h) for h in path], root,
                    result.ranges, 'origin')
    full = profile == 'full'
    for e in events:
        if full:
            sealed = None if e.kind == 'subject.erased' else e.sealed
            need(not e.plain.withheld and not (sealed and sealed.withheld), e.what + ': a full pack withholds')
        if not full:
            need(e.get('plain', 'operator').state != 'given', e.what + ': operator is shown')
        check_columns(e)
    pack = events[-1]
    need(pack.kind == 'pack.made', 'the last event is not pack.made')
    need(pack.seq == size, 'the last event is not the last of the tree')
    consistency = content['consistency']
    if consistency is not None:
        members(consistency, ('path', 'root', 'size'), 'consistency')
        path = a_list(consistency['path'], 'consistency: path')
        need(all(is_hex(h, 32) for h in path) and is_hex(consistency['root'], 32) and is_int(consistency['size'], 1),
             'consistency has another type')
        first = consistency['size']
        need(first < size, 'consistency: size is not smaller')
        path = [bytes.fromhex(h) for h in path]
        first_root = bytes.fromhex(consistency['root'])
        check_consistency(first, size, first_root, root, path)
        note(result.ranges, (0, first), first_root)
        for span, value in zip(consistency_spans(first, size), path):
            note(result.ranges, span, value)
        result.consistency = (first, first_root)
        for e in events[:-1]:
            if e.seq == first:
                need(e.kind == 'pack.made', 'consistency: the event of its size is not pack.made')
            if e.seq > first:
                need(e.kind != 'pack.made', 'consistency: it is not with the last pack before this one')
    else:
        need(not any(e.kind == 'pack.made' for e in events[:-1]), 'consistency is missing')
    # what is always shown
    for e in events:
        check_shown(e, full)
    for b in bodies:
        if full:
            need(not b.part.withheld, 'response of record %d: a full pack withholds' % b.record)
    # 8, first part: records
    begun, ended = check_records(events)
    # 5: responses
    responses = {b.record: b for b in bodies}
    for b in responses.values():
        e = ended.get(b.record)
        need(e is not None, 'response of record %d without its record.ended' % b.record)
    for e in ended.values():
        reply, response = e.plain.shown['reply'], responses.get(e.record)
        if reply is None:
            need(response is None, e.what + ': has a response that it does not name')
        else:
            need(response is not None, e.what + ': its response is missing')
            need(reply['values'] == response.part.values, e.what + ': its response is another')
    # 6: erasure
    check_erasure(events, bodies, result)
    # 7: completeness
    check_links(events, begun)
    check_counted(events)
    check_series(events, begun, pack, about)
    # 8: what it is about
    check_about(events, begun, pack, about, profile)
    check_approvals(events, full, result)
    result.digest_input = pae + signature
    result.approval = required_approval(events, about, full, result)
    result.made_at = pack.at
    result.notes.append('about: %s %s, profile %s' % (about['kind'], about['id'], profile))
    report_withheld(events, result)
    return result


def check_columns(e):
    """No value of the tables is in another part than its own."""
    plain, sealed = (names.split(' ') for names in COLUMNS.get(e.kind, ('', '')))
    for part, others in ((e.plain, sealed), (e.sealed, plain)):
        for name in part.shown if part else ():
            name = 'input' if name.startswith('input.') else name
            need(not name or name not in others, e.what + ': %s is in another part than its own' % name)


def check_shown(e, full):
    shown = e.plain.shown
    if e.kind == 'record.begun':
        need(is_text(shown.get('id')), e.what + ': does not show its id')
    elif e.kind == 'record.ended':
        need(is_text(shown.get('outcome')), e.what + ': does not show outcome')
        need('reply' in shown, e.what + ': does not show reply')
        reply = shown['reply']
        need(reply is None or isinstance(reply, dict) and is_hex(reply.get('values'), 32),
             e.what + ': reply has another form')
    elif e.kind == 'subject.erased':
        need('subjects' in shown, e.what + ': does not show its subjects')
        need(not e.sealed or not e.sealed.shown, e.what + ': shows a value of sealed')
    elif e.kind.startswith('batch.'):
        need(is_text(shown.get('id')), e.what + ': does not show its id')
    elif e.kind == 'pack.made':
        names = {'about', 'profile', 'series'}
        need(shown.get('about') in ABOUT and is_text(shown.get('about')), e.what + ': about is unknown')
        if shown['about'] != 'applicant':
            names.add('id')
        if full:
            names.add('operator')
        need(set(shown) == names, e.what + ': does not show exactly its values')
        need(is_text(shown.get('id', '')) and is_text(shown.get('operator', '')) and is_text(shown['profile'])
             and shown['profile'] in PROFILES,
             e.what + ': a value has another type')
        for s in a_list(shown['series'], e.what + ': series'):
            need(isinstance(s, list) and len(s) == 4 and is_int(s[2], 1) and is_int(s[3], 1)
                 and (s[0] in ('subject', 'record') and is_int(s[1], 1) or s[0] == 'batch' and is_text(s[1])),
                 e.what + ': series has another form')


def batch_of(e, begun):
    """The ID of the batch of an event, None if it has none, 'unknown' as False."""
    if e.kind.startswith('batch.'):
        value = e.get('plain', 'id')
        return value.value if value.state == 'given' else False
    if e.kind == 'pack.made':
        return e.plain.shown['id'] if e.plain.shown['about'] == 'batch' else None
    if e.kind in OF_RECORD:
        first = begun[e.record]
        value = first.get('plain', 'batchId')
        if value.state == 'given':
            return value.value
        return False if first.plain.withheld else None
    return None


def check_links(events, begun):
    for e in events:
        listed = e.kind in LISTED
        need(('all' in e.links) == (e.kind in COUNTED), e.what + ': links.all')
        need(('subject' in e.links) == (listed and e.subject is not None), e.what + ': links.subject')
        need(('record' in e.links) == (e.kind in OF_RECORD), e.what + ': links.record')
        batch = batch_of(e, begun) if listed else None
        if batch is not False:
            need(('batch' in e.links) == (batch is not None), e.what + ': links.batch')


def check_counted(events):
    for kind in COUNTED:
        of_kind = [e for e in events if e.kind == kind]
        for earlier, later in zip(of_kind, of_kind[1:]):
            need(later.links['all'][0] > earlier.links['all'][0], later.what + ': its place among all is not larger')
        for earlier, later in zip([None] + of_kind, of_kind):
            n, seq = (earlier.links['all'][0], earlier.seq) if earlier else (0, 0)
            place, before = later.links['all']
            need((place == n + 1) == (before == seq) and before >= seq, later.what + ': names another event of all')


def check_series(events, begun, pack, about):
    series = pack.plain.shown['series']
    required = []
    if about['kind'] == 'applicant':
        need(pack.subject is not None, 'pack.made has no person')
        required.append(('subject', pack.subject))
        required += [('record', r) for r in sorted(linked_records(events))]
    elif about['kind'] == 'record':
        required += [('record', r) for r in begun]
    else:
        required.append(('batch', about['id']))
    need([(s[0], s[1]) for s in series] == required, 'its series are not those that it must list, in order')
    for kind, ident, count, last in series:
        check_one_series(events, begun, kind, ident, count, last)


def in_series(e, begun, kind, ident):
    if e.kind not in LISTED:
        return False
    if kind == 'subject':
        return e.subject == ident
    if kind == 'record':
        return e.kind in OF_RECORD and e.record == ident
    batch = batch_of(e, begun)
    return batch == ident and batch is not None and batch is not False


def check_one_series(events, begun, kind, ident, count, last):
    what = 'series of %s %s' % (kind, ident)
    shown = [e for e in events if in_series(e, begun, kind, ident)]
    need(shown, what + ': none of its events is shown')
    n = before = 0
    for e in shown:
        n += 1
        link = e.links.get(kind)
        need(link is not None, '%s: %s has no link' % (what, e.what))
        need(link == [n, before], '%s: %d missing between event %d and event %d (link %s, expected %s)'
             % (what, link[0] - n, before, e.seq, link, [n, before]))
        before = e.seq
    need(count == n and last == before, '%s: it ends with its %dth, event %d, but %d, event %d, is listed'
         % (what, n, before, count, last))


def linked_records(events):
    linked = set()
    for e in events:
        if e.kind == 'link.made':
            linked.add(e.record)
        elif e.kind == 'link.removed':
            linked.discard(e.record)
    return linked


def check_about(events, begun, pack, about, profile):
    kind, ident = about['kind'], about['id']
    shown = pack.plain.shown
    for e in events:
        need(e.kind not in ('link.made', 'link.removed') or e.record is not None, e.what + ': names no record')
    need(shown['about'] == kind, 'about.kind is not that of pack.made')
    need(shown['profile'] == profile, 'profile is not that of pack.made')
    if kind != 'applicant':
        need(ident is not None and shown['id'] == ident, 'about.id is not that of pack.made')
    if kind == 'record':
        need(len(begun) == 1, 'a pack about a record has not one record.begun')
        # FINDINGS 2: no event of any kind has another record
        need(all(e.record is None or e.record in begun for e in events), 'an event has another record')
        need(equals(list(begun.values())[0], 'plain', 'id', ident), 'about.id is not the ID of the record')
    elif kind == 'batch':
        for e in events:
            if e.kind.startswith('batch.'):
                need(equals(e, 'plain', 'id', ident), e.what + ': is of another batch')
        for e in begun.values():
            need(equals(e, 'plain', 'batchId', ident), e.what + ': is of another batch')
            need('batchId' in e.plain.shown, e.what + ': does not show its batch')
    else:
        need(pack.subject is not None, 'pack.made has no person')
        need((ident is None) == (profile == 'no-personal-data'), 'about.id is null exactly without personal data')
        linked = linked_records(events)
        named = False
        for e in events:
            if e.kind in ADDED or e.kind.startswith('record.') and e.record in linked:
                continue
            need(e.subject == pack.subject, e.what + ': is about another person')
            value = e.get('sealed', 'applicantId')
            if value.state == 'given':
                named = True
                need(is_text(value.value), e.what + ': applicantId is not a text')
                need(ident is not None, e.what + ': applicantId is shown')
                need(value.value == ident, e.what + ': is about another applicant')
        if profile == 'full':
            need(named, 'no event names the applicant')


APPROVAL = ('scope', 'asked', 'agrees', 'at', 'by', 'salt', 'signer', 'signature')


def check_approvals(events, full, result):
    for e in events:
        if e.kind != 'approval.received':
            continue
        if not full and list(e.plain.shown) == ['agrees'] and isinstance(e.plain.shown['agrees'], bool):
            result.notes.append('approval not proved: %s' % e.what)
            continue
        values = [e.get('plain', name) for name in APPROVAL]
        need(all(value.state == 'given' for value in values), e.what + ': the answer is not shown completely')
        scope, asked, agrees, at, by, salt, signer, signature = (value.value for value in values)
        need(is_text(scope) and is_text(by) and is_hex(salt, 16) and isinstance(agrees, bool) and is_time(at)
             and isinstance(asked, list) and len(asked) == 3 and is_text(asked[0]) and is_int(asked[1], 1)
             and is_hex(asked[2], 32) and is_hex(signer, 32) and is_hex(signature, 64),
             e.what + ': the answer has another form')
        name = hashlib.sha256(canonical([salt, 'by', by])).hexdigest()
        line = canonical(['veridesk/approval', 1, scope, asked, agrees, at, name])
        check_signature(bytes.fromhex(signer), line, bytes.fromhex(signature), e.what + ': the answer')
        for other in events:
            need(other.seq != asked[1] or other.kind == 'approval.asked' and other.hash == bytes.fromhex(asked[2]),
                 e.what + ': answers another request')


def required_approval(events, about, full, result):
    """What second persons say of the last decision: None if it needs nobody, or 'withheld', or (needed, agree, do not)."""
    decisions = [e for e in events if e.kind == 'decision.made'] if about['kind'] == 'applicant' else []
    if not decisions:
        return None
    decision = decisions[-1]
    needed = decision.get('plain', 'requires')
    needed = needed.value if needed.state == 'given' else 0
    need(needed in (0, 1) and not isinstance(needed, bool), decision.what + ': requires is neither 0 nor 1')
    if needed == 0:
        return None
    if not full:
        return 'withheld'
    said = {}
    for e in events:
        if e.kind != 'approval.received' or e.seq < decision.seq or e.plain.shown.get('void') is True:
            continue
        request = [r for r in events if r.kind == 'approval.asked' and r.seq == e.plain.shown['asked'][1]]
        name = request[0].plain.shown.get('decision') if request else None
        if isinstance(name, list) and len(name) == 3 and is_text(name[0]) and is_int(name[1], 1) and is_hex(name[2], 32) \
                and name[1] == decision.seq and bytes.fromhex(name[2]) == decision.hash \
                and e.plain.shown['signer'] != result.key:
            said[e.plain.shown['signer']] = e.plain.shown['agrees']
    return needed, sum(said.values()), len(said) - sum(said.values())


# ---------------------------------------------------------------- DER, X.509 (RFC 5280), CMS (RFC 5652), RFC 3161

MAX_LEVELS, MAX_VALUES = 32, 20000


class Der:
    """A value of DER: its tag, contents and whole bytes, and its members if it is constructed."""

    def __init__(self, data, at=0, level=1, count=None):
        count = count or [0]
        count[0] += 1
        need(level <= MAX_LEVELS and count[0] <= MAX_VALUES, 'DER: too deep, or too many values')
        need(at + 2 <= len(data), 'DER is cut off')
        self.tag, length = data[at], data[at + 1]
        need(self.tag & 31 != 31, 'DER: long tag')
        begin = at + 2
        if length >= 128:
            size = length & 127
            need(0 < size <= 4 and begin + size <= len(data), 'DER: length')
            length = int.from_bytes(data[begin:begin + size], 'big')
            need(length >= 128 and data[begin] != 0, 'DER: length is not minimal')
            begin += size
        end = begin + length
        need(end <= len(data), 'DER is cut off')
        self.contents, self.whole, self.members = data[begin:end], data[at:end], None
        if self.tag >> 6 == 0:
            need(bool(self.tag & 32) == (self.tag in (0x30, 0x31)), 'DER: a type in another form')
        if self.tag & 32:
            self.members = []
            while begin < end:
                self.members.append(Der(data[:end], begin, level + 1, count))
                begin += len(self.members[-1].whole)
        elif self.tag in PRIMITIVE:
            PRIMITIVE[self.tag](self)


def der(data):
    value = Der(data)
    need(len(value.whole) == len(data), 'DER: more follows the value')
    return value


def boolean(item):
    need(item.tag == 1 and item.contents in (b'\x00', b'\xff'), 'DER: no BOOLEAN')
    return item.contents == b'\xff'


def integer_bytes(item, tag=2):
    c = item.contents
    need(item.tag == tag and c and (len(c) == 1 or not (c[0] == 0 and c[1] < 128 or c[0] == 255 and c[1] >= 128)),
         'DER: no INTEGER in its shortest form')
    return c


def integer(item):
    return int.from_bytes(integer_bytes(item), 'big', signed=True)


def small(item, tag=2):
    c = integer_bytes(item, tag)
    need(len(c) <= 4 and c[0] < 128, 'DER: a number is out of range')
    return int.from_bytes(c, 'big')


def bit_string(item):
    c = item.contents
    need(item.tag == 3 and c and c[0] < 8 and (len(c) > 1 or c[0] == 0)
         and (len(c) == 1 or c[-1] & (1 << c[0]) - 1 == 0), 'DER: no BIT STRING')
    return c[1:]


def bits(item):
    data = bit_string(item)
    need(item.contents[0] == 0, 'DER: no BIT STRING of bytes')
    return data


def null(item):
    need(item.contents == b'', 'DER: no NULL')


def octets(item, tag=4):
    need(item.tag == tag, 'DER: no OCTET STRING')
    return item.contents


def oid(item):
    c = item.contents
    need(item.tag == 6 and 0 < len(c) <= 64 and c[-1] < 128, 'DER: no OID')
    numbers, value, begins = [], 0, True
    for byte in c:
        need(not (begins and byte == 128), 'DER: a number of an OID is not in its shortest form')
        value, begins = value << 7 | byte & 127, byte < 128
        if begins:
            numbers.append(value)
            value = 0
    first = min(numbers[0] // 40, 2)
    return '.'.join(map(str, [first, numbers[0] - 40 * first] + numbers[1:]))


def milliseconds(item, fraction=False):
    text = item.contents.decode('ascii', 'replace')
    if item.tag == 0x17:
        match = re.match(r'([0-9]{2})' * 6 + r'()Z\Z', text)
    else:
        match = item.tag == 0x18 and re.match(r'([0-9]{4})' + r'([0-9]{2})' * 5 + r'(?:\.([0-9]*[1-9]))?Z\Z', text)
    need(match and (fraction or not match.group(7)), 'DER: no time')
    y, mo, d, h, mi, s = map(int, match.groups()[:6])
    if item.tag == 0x17:
        y += 1900 if y >= 50 else 2000
    try:
        days = datetime.date(y, mo, d).toordinal() - datetime.date(1970, 1, 1).toordinal()
        datetime.time(h, mi, s)
    except ValueError:
        raise Refused('DER: no time')
    digits = match.group(7) or ''
    return (days * 86400 + h * 3600 + mi * 60 + s) * 1000 + int((digits + '000')[:3]) + (1 if digits[3:].strip('0') else 0)


PRIMITIVE = {0x01: boolean, 0x02: integer_bytes, 0x03: bit_string, 0x05: null, 0x06: oid, 0x0A: lambda i: integer_bytes(i, 0x0A),
             0x17: milliseconds, 0x18: lambda i: milliseconds(i, True)}


class Members:
    """The members of a structure, in their order."""

    def __init__(self, item, tag=0x30):
        need(item.tag == tag and item.members is not None, 'DER: another structure')
        self.rest = list(item.members)

    def next(self, tag=None):
        need(self.rest and tag in (None, self.rest[0].tag), 'DER: another structure')
        return self.rest.pop(0)

    def optional(self, tag):
        return self.rest.pop(0) if self.rest and self.rest[0].tag == tag else None

    def end(self):
        need(not self.rest, 'DER: a structure has more members')


def only(item):
    need(item.members is not None and len(item.members) == 1, 'DER: not one value')
    return item.members[0]


class Algorithm:
    def __init__(self, item):
        members = Members(item)
        self.name = oid(members.next(6))
        self.parameters = members.next() if members.rest else None
        members.end()

    def has_null(self):
        return self.parameters is not None and self.parameters.tag == 5


HASHES = {'2.16.840.1.101.3.4.2.1': 'sha256', '2.16.840.1.101.3.4.2.2': 'sha384', '2.16.840.1.101.3.4.2.3': 'sha512'}
RSA, PSS, MGF1, EC, ED25519 = ('1.2.840.113549.1.1.1', '1.2.840.113549.1.1.10', '1.2.840.113549.1.1.8', '1.2.840.10045.2.1',
                               '1.3.101.112')
RSA_WITH = {'1.2.840.113549.1.1.11': 'sha256', '1.2.840.113549.1.1.12': 'sha384', '1.2.840.113549.1.1.13': 'sha512'}
ECDSA_WITH = {'1.2.840.10045.4.3.2': 'sha256', '1.2.840.10045.4.3.3': 'sha384', '1.2.840.10045.4.3.4': 'sha512'}
DIGEST_INFO = {'sha256': '3031300d060960864801650304020105000420', 'sha384': '3041300d060960864801650304020205000430',
               'sha512': '3051300d060960864801650304020305000440'}
# p, b, order, generator; a is -3
CURVES = {
    '1.2.840.10045.3.1.7': (
        2 ** 256 - 2 ** 224 + 2 ** 192 + 2 ** 96 - 1,
        0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b,
        0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551,
        0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296,
        0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5),
    '1.3.132.0.34': (
        2 ** 384 - 2 ** 128 - 2 ** 96 + 2 ** 32 - 1,
        0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef,
        0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973,
        0xaa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7,
        0x3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f),
    '1.3.132.0.35': (
        2 ** 521 - 1,
        0x0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00,
        0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409,
        0x00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66,
        0x011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650)}


def hash_of(item):
    """The name of a hash that is accepted; its parameters are NULL or absent."""
    algorithm = Algorithm(item)
    need(algorithm.name in HASHES and (algorithm.parameters is None or algorithm.has_null()), 'a hash is not supported')
    return HASHES[algorithm.name]


def ec_add(p, q, prime):
    if p is None or q is None:
        return p or q
    if p[0] == q[0]:
        if (p[1] + q[1]) % prime == 0:
            return None
        slope = (3 * p[0] * p[0] - 3) * pow(2 * p[1], prime - 2, prime)
    else:
        slope = (q[1] - p[1]) * pow(q[0] - p[0], prime - 2, prime)
    x = (slope * slope - p[0] - q[0]) % prime
    return x, (slope * (p[0] - x) - p[1]) % prime


def ec_mul(k, p, prime):
    result = None
    while k:
        if k & 1:
            result = ec_add(result, p, prime)
        p = ec_add(p, p, prime)
        k >>= 1
    return result


def rsa_raw(key, signature):
    """The encoded message that an RSA signature contains, and the modulus."""
    members = Members(der(bits(key)))
    n, e = integer(members.next(2)), integer(members.next(2))
    members.end()
    need(n.bit_length() >= 2048 and e >= 3, 'RSA key is too small')
    size = (n.bit_length() + 7) // 8
    if len(signature) != size or int.from_bytes(signature, 'big') >= n:
        return None, n
    return pow(int.from_bytes(signature, 'big'), e, n).to_bytes(size, 'big'), n


def pkcs1_holds(key, hash_name, data, signature):
    found, _ = rsa_raw(key, signature)
    end = bytes.fromhex(DIGEST_INFO[hash_name]) + hashlib.new(hash_name, data).digest()
    return found is not None and found == b'\x00\x01' + b'\xff' * (len(found) - len(end) - 3) + b'\x00' + end


def pss_holds(key, hash_name, salt_length, data, signature):
    """RFC 8017, 9.1.2."""
    found, n = rsa_raw(key, signature)
    if found is None:
        return False
    hashed = hashlib.new(hash_name, data).digest()
    length = (n.bit_length() - 1 + 7) // 8
    if found[:len(found) - length].strip(b'\x00') or length < len(hashed) + salt_length + 2:
        return False
    found = found[-length:]
    masked, h = found[:length - len(hashed) - 1], found[length - len(hashed) - 1:-1]
    unused = 8 * length - (n.bit_length() - 1)
    if found[-1] != 0xBC or masked[0] >> 8 - unused:
        return False
    mask, counter = b'', 0
    while len(mask) < len(masked):
        mask += hashlib.new(hash_name, h + counter.to_bytes(4, 'big')).digest()
        counter += 1
    db = bytearray(a ^ b for a, b in zip(masked, mask))
    db[0] &= 0xFF >> unused
    padding = len(db) - salt_length - 1
    if bytes(db[:padding + 1]) != b'\x00' * padding + b'\x01':
        return False
    salt = bytes(db[padding + 1:])
    return hashlib.new(hash_name, bytes(8) + hashed + salt).digest() == h


def pss_of(parameters):
    """Hash and length of the salt; all is explicit, and nothing is as by default."""
    need(parameters is not None, 'PSS: no parameters')
    members = Members(parameters)
    name = hash_of(only(members.next(0xA0)))
    mask = Algorithm(only(members.next(0xA1)))
    salt_length = small(only(members.next(0xA2)))
    members.end()
    need(mask.name == MGF1 and mask.parameters is not None and hash_of(mask.parameters) == name and salt_length <= 512,
         'PSS: other parameters')
    return name, salt_length


def ecdsa_holds(key, curve, hash_name, data, signature):
    p, b, n, gx, gy = curve
    size = (p.bit_length() + 7) // 8
    point = bits(key)
    need(len(point) == 2 * size + 1 and point[0] == 4, 'EC key has another form')
    point = int.from_bytes(point[1:size + 1], 'big'), int.from_bytes(point[size + 1:], 'big')
    need(max(point) < p and (point[1] ** 2 - point[0] ** 3 + 3 * point[0] - b) % p == 0, 'EC key is not valid')
    members = Members(der(signature))
    r, s = integer(members.next(2)), integer(members.next(2))
    members.end()
    if not (0 < r < n and 0 < s < n):
        return False
    h = hashlib.new(hash_name, data).digest()
    z = int.from_bytes(h, 'big') >> max(0, 8 * len(h) - n.bit_length())
    w = pow(s, n - 2, n)
    found = ec_add(ec_mul(z * w % n, (gx, gy), p), ec_mul(r * w % n, point, p), p)
    return found is not None and found[0] % n == r


def signature_holds(spki, algorithm, data, signature, digest=None):
    """spki: SubjectPublicKeyInfo; digest: the hash that a signer names beside its algorithm."""
    members = Members(spki)
    kind, key = Algorithm(members.next(0x30)), members.next(3)
    members.end()
    name = algorithm.name
    unsupported = 'algorithm %s is not supported with this key, parameters or hash' % name
    if name == ED25519:
        need(kind.name == ED25519 and kind.parameters is None and algorithm.parameters is None, unsupported)
        return ed25519_verify(bits(key), data, signature)
    if name in ECDSA_WITH:
        need(kind.name == EC and kind.parameters is not None and algorithm.parameters is None
             and digest in (None, ECDSA_WITH[name]), unsupported)
        curve = CURVES.get(oid(kind.parameters))
        need(curve, 'curve is not supported')
        return ecdsa_holds(key, curve, ECDSA_WITH[name], data, signature)
    need(kind.name == RSA and kind.has_null(), unsupported)
    if name == PSS:
        hash_name, salt_length = pss_of(algorithm.parameters)
        need(digest in (None, hash_name), unsupported)
        return pss_holds(key, hash_name, salt_length, data, signature)
    hash_name = RSA_WITH.get(name) or (digest if name == RSA else None)
    need(hash_name and algorithm.has_null() and digest in (None, hash_name), unsupported)
    return pkcs1_holds(key, hash_name, data, signature)


# extensions that can be critical
KNOWN_CRITICAL = ('2.5.29.14', '2.5.29.15', '2.5.29.17', '2.5.29.18', '2.5.29.19', '2.5.29.31', '2.5.29.32', '2.5.29.35',
                  '2.5.29.37', '1.3.6.1.5.5.7.1.1')


class Certificate:
    def __init__(self, data):
        self.data = data
        need(len(data) <= 65536, 'certificate is too large')
        whole = Members(der(data))
        tbs, algorithm, signature = whole.next(0x30), whole.next(0x30), whole.next(3)
        whole.end()
        self.tbs, self.algorithm, self.signature = tbs.whole, Algorithm(algorithm), bits(signature)
        fields = Members(tbs)
        version = fields.optional(0xA0)
        version = small(only(version)) if version else 0
        self.serial = integer_bytes(fields.next(2))
        need(fields.next(0x30).whole == algorithm.whole, 'certificate: two algorithms')
        self.issuer = fields.next(0x30).whole
        times = Members(fields.next(0x30))
        self.begin, self.end = milliseconds(times.next()), milliseconds(times.next())
        times.end()
        self.subject, self.spki = fields.next(0x30).whole, fields.next(0x30)
        fields.optional(0x81)
        fields.optional(0x82)
        listed = fields.optional(0xA3)
        fields.end()
        need(version == 2 or version == 0 and not listed, 'certificate: its version')
        key = Members(self.spki)
        self.key_algorithm, self.key = Algorithm(key.next(0x30)), bits(key.next(3))
        key.end()
        self.extensions = {}
        if listed:
            need(only(listed).tag == 0x30 and only(listed).members, 'certificate: no extensions')
            for item in only(listed).members:
                members = Members(item)
                name = oid(members.next(6))
                critical = members.optional(1)
                need(name not in self.extensions, 'certificate: an extension occurs twice')
                self.extensions[name] = (critical is not None and boolean(critical), octets(members.next(4)))
                members.end()

    def ed25519_key(self):
        need(self.key_algorithm.name == ED25519 and self.key_algorithm.parameters is None and len(self.key) == 32,
             'the certificate has no Ed25519 key')
        return self.key

    def key_id(self):
        e = self.extensions.get('2.5.29.14')
        return octets(der(e[1])) if e else None

    def unknown(self):
        """Has it a critical extension that is not known?"""
        return any(critical and name not in KNOWN_CRITICAL for name, (critical, _) in self.extensions.items())

    def valid_at(self, at):
        return self.begin <= at <= self.end

    def may(self, *numbers):
        """One of these usages, if it has a key usage; the first bit is number 0."""
        usage = self.extensions.get('2.5.29.15')
        if usage is None:
            return True
        found = bit_string(der(usage[1]))
        return any(n // 8 < len(found) and found[n // 8] & 128 >> n % 8 for n in numbers)

    def may_sign(self):
        """digitalSignature or nonRepudiation."""
        return self.may(0, 1)

    def is_ca(self, below):
        e = self.extensions.get('2.5.29.19')
        if e is None:
            return False
        members = Members(der(e[1]))
        ca, limit = members.optional(1), members.optional(2)
        members.end()
        return ca is not None and boolean(ca) and (limit is None or small(limit) >= below) and self.may(5)

    def signed_by(self, issuer):
        return self.issuer == issuer.subject and signature_holds(issuer.spki, self.algorithm, self.tbs, self.signature)


def holds(function, *args):
    """Whether it is true; what cannot be read, or is not supported, is not."""
    try:
        return bool(function(*args))
    except Refused:
        return False


def leads_to(certificate, others, trusted, at, chain=()):
    """Is there a chain of certificates valid at the time, to one that is trusted?"""
    if not certificate.valid_at(at) or certificate.unknown():
        return False
    if chain and any(certificate.data == t.data for t in trusted):
        return True
    chain = (*chain, certificate)
    if len(chain) > 8:
        return False
    below = sum(c.subject != c.issuer for c in chain[1:])
    return any(issuer.subject == certificate.issuer and all(issuer.data != c.data for c in chain)
               and holds(issuer.is_ca, below) and holds(certificate.signed_by, issuer)
               and leads_to(issuer, others, trusted, at, chain) for issuer in trusted + others)


def readable(items):
    """Those certificates that can be read: the others are not needed, or else no path is found."""
    found = []
    for data in items:
        try:
            found.append(Certificate(data))
        except Refused:
            pass
    return found


def read_certificates(data, what):
    blocks = re.findall(rb'-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----', data, re.S)
    try:
        items = [base64.b64decode(b) for b in blocks] if blocks else [data] if data[:1] == b'0' else []
    except ValueError:
        items = []
    if not items:
        raise Unreadable('%s contains no certificate' % what)
    return readable(items)


def accuracy(item):
    """Milliseconds, rounded up."""
    if item is None:
        return 0
    members = Members(item)
    seconds, millis, micros = members.optional(2), members.optional(0x80), members.optional(0x81)
    members.end()
    return ((small(seconds) * 1000 if seconds else 0) + (small(millis, 0x80) if millis else 0)
            + (1 if micros and small(micros, 0x81) > 0 else 0))


def signed_data(token):
    """The content, certificates (DER) and the one SignerInfo of a token."""
    info = Members(token)
    need(oid(info.next(6)) == '1.2.840.113549.1.7.2', 'time-stamp: not signed data')
    members = Members(only(info.next(0xA0)))
    info.end()
    small(members.next(2))
    members.next(0x31)
    encapsulated = Members(members.next(0x30))
    need(oid(encapsulated.next(6)) == TST_INFO, 'time-stamp: no TSTInfo')
    content = octets(only(encapsulated.next(0xA0)))
    encapsulated.end()
    listed = members.optional(0xA0)
    members.optional(0xA1)
    signers = members.next(0x31)
    members.end()
    need(len(signers.members) == 1, 'time-stamp: not exactly one signer')
    need(not listed or len(listed.members) <= 20, 'time-stamp: too many certificates')
    return content, [m.whole for m in (listed.members if listed else []) if m.tag == 0x30], signers.members[0]


def signed_attributes(item):
    """By type; each has one value."""
    need(item is not None and item.members is not None, 'time-stamp: no signed attributes')
    in_order = [m.whole for m in item.members]
    need(all(a < b for a, b in zip(in_order, in_order[1:])), 'time-stamp: the attributes are not in the order of DER')
    found = {}
    for each in item.members:
        members = Members(each)
        name, values = oid(members.next(6)), members.next(0x31)
        members.end()
        need(name not in found and len(values.members) == 1, 'time-stamp: an attribute has more than one value')
        found[name] = values.members[0]
    return found


def check_identified(signer, attribute, is_second):
    """signingCertificate (SHA-1) or signingCertificateV2: the first entry is of the signer's certificate."""
    need(attribute.tag == 0x30 and attribute.members and attribute.members[0].members, 'time-stamp: no signingCertificate')
    members = Members(attribute.members[0].members[0])
    algorithm = members.optional(0x30) if is_second else None
    hashed, named = octets(members.next(4)), members.optional(0x30)
    members.end()
    name = 'sha1' if not is_second else hash_of(algorithm) if algorithm else 'sha256'
    need(hashlib.new(name, signer.data).digest() == hashed, 'time-stamp: it identifies another certificate')
    if named:
        members = Members(named)
        names, serial = members.next(0x30), integer_bytes(members.next(2))
        members.end()
        need(serial == signer.serial and any(n.tag == 0xA4 and only(n).whole == signer.issuer for n in names.members),
             'time-stamp: it identifies another certificate')


def check_info(content, imprinted):
    """The time of a TSTInfo, and with its accuracy."""
    members = Members(der(content))
    need(small(members.next(2)) == 1, 'time-stamp: its version is not known')
    oid(members.next(6))
    imprint = Members(members.next(0x30))
    name, hashed = hash_of(imprint.next(0x30)), octets(imprint.next(4))
    imprint.end()
    integer(members.next(2))
    at = milliseconds(members.next(0x18), True)
    latest = at + accuracy(members.optional(0x30))
    members.optional(1)
    members.optional(2)
    members.optional(0xA0)
    extensions = members.optional(0xA1)
    members.end()
    for extension in extensions.members if extensions else []:
        second = extension.members[1] if extension.members and len(extension.members) > 1 else None
        need(not second or second.tag != 1 or not boolean(second), 'time-stamp: critical extension')
    need(hashlib.new(name, imprinted).digest() == hashed, 'time-stamp: it is of something else')
    return at, latest


TST_INFO = '1.2.840.113549.1.9.16.1.4'


def check_timestamp(token, imprinted, trusted):
    """The time of a token, and with its accuracy; None if it is of another authority; or refuses it."""
    need(len(token) <= 65536, 'time-stamp: it is too large')
    content, certificates, info = signed_data(der(token))
    at, latest = check_info(content, imprinted)
    members = Members(info)
    small(members.next(2))
    numbered = members.optional(0x30)
    key_id = None if numbered else octets(members.next(0x80), 0x80)
    digest = hash_of(members.next(0x30))
    listed = members.optional(0xA0)
    attributes = signed_attributes(listed)
    algorithm, signature = Algorithm(members.next(0x30)), octets(members.next(4))
    members.optional(0xA1)
    members.end()
    certificates = readable(certificates)
    if numbered:
        members = Members(numbered)
        issuer, serial = members.next(0x30).whole, integer_bytes(members.next(2))
        members.end()
        signer = next((c for c in certificates if c.issuer == issuer and c.serial == serial), None)
    else:
        signer = next((c for c in certificates if c.key_id() == key_id), None)
    need(signer, 'time-stamp: the certificate of the signer is not given')
    kind, message = attributes.get('1.2.840.113549.1.9.3'), attributes.get('1.2.840.113549.1.9.4')
    need(kind and oid(kind) == TST_INFO, 'time-stamp: contentType')
    need(message and octets(message) == hashlib.new(digest, content).digest(), 'time-stamp: messageDigest')
    v2, v1 = attributes.get('1.2.840.113549.1.9.16.2.47'), attributes.get('1.2.840.113549.1.9.16.2.12')
    need(v1 or v2, 'time-stamp: no signingCertificate')
    for attribute, is_second in ((v2, True), (v1, False)):
        if attribute:
            check_identified(signer, attribute, is_second)
    # they are signed with the tag of a set (RFC 5652, 5.4)
    need(signature_holds(signer.spki, algorithm, b'\x31' + listed.whole[1:], signature,
                         None if algorithm.name == ED25519 else digest), 'time-stamp: the signature is not valid')
    usage = signer.extensions.get('2.5.29.37')
    need(usage and usage[0] and [oid(i) for i in Members(der(usage[1])).rest] == ['1.3.6.1.5.5.7.3.8'],
         'time-stamp: the certificate is not for time-stamps alone')
    need(signer.may_sign(), 'time-stamp: the certificate may not sign')
    need(not signer.unknown(), 'time-stamp: critical extension')
    if not leads_to(signer, [c for c in certificates if c is not signer], trusted, at):
        return None
    return at, latest


def safe(function, *args):
    """Malformed DER is refused, whatever it is that fails."""
    try:
        return function(*args)
    except (LookupError, ValueError, TypeError):
        raise Refused('DER has another form')


# ---------------------------------------------------------------- command

def read(path):
    try:
        with open(path, 'rb') as f:
            return f.read()
    except OSError as error:
        raise Unreadable('%s cannot be read: %s' % (path, error.strerror))


def read_revocation(path, trusted):
    file = parse_canonical(read(path), 'revocation', line_feed=True)
    members(file, ('envelope', 'format', 'timestamps', 'version'), 'revocation')
    need(file['format'] == 'veridesk-revocation' and is_int(file['version']) and file['version'] == 1,
         'revocation: its format is unknown')
    tokens = [unbase64(t, 'time-stamp') for t in a_list(file['timestamps'], 'timestamps')]
    data, pae, keyid, signature = open_envelope(file['envelope'], REVOCATION_TYPE, 'revocation')
    r = parse_canonical(data, 'revocation')
    members(r, ('at', 'key', 'note', 'reason', 'revokedBy', 'since'), 'revocation')
    need(is_time(r['at']) and is_time(r['since']) and is_hex(r['key'], 32) and is_hex(r['revokedBy'], 32)
         and is_text(r['note']) and r['reason'] in ('lost', 'left', 'replaced'), 'revocation has another type')
    check_envelope_signature(r['revokedBy'], pae, keyid, signature, 'revocation')
    times = [found[0] for found in (valid_timestamp(t, pae + signature, trusted) for t in tokens) if found]
    r['proven'] = min(times) if times else None
    return r


TRUST_TYPE = 'application/vnd.veridesk.trust+json'
TRUST_DAYS = 400 * 86400000
PEM = re.compile('-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/]{64}\n)*[A-Za-z0-9+/]{1,64}={0,2}\n-----END CERTIFICATE-----\n?')


def units(text):
    """UTF-16 code units."""
    return len(text.encode('utf-16-le', 'surrogatepass')) // 2


def is_label(value, most):
    return is_text(value) and 1 <= units(value) <= most


def rises(values):
    return all(a < b for a, b in zip(values, values[1:]))


def limited(value, least, most, what):
    need(least <= len(a_list(value, what)) <= most, what + ' has too few or too many entries')
    return value


def trust_version(v, number, digest, before):
    """Checks one version of a trust file without its signatures; returns the fingerprints of its keepers."""
    members(v, ('ca', 'expires', 'issued', 'keepers', 'organisation', 'previous', 'revocations', 'signers', 'threshold',
                'timestamps', 'verifiers', 'version'), 'trust file')
    need(is_time(v['issued']) and is_time(v['expires']) and v['issued'] < v['expires'] <= v['issued'] + TRUST_DAYS,
         'trust file: its period is wrong')
    need(is_label(v['organisation'], 200) and is_int(v['threshold']) and v['threshold'] == 2, 'trust file has another type')
    need(is_int(v['version']) and v['version'] == number and v['previous'] == digest,
         'trust file: a version does not follow the one before')
    need(before is None or before['issued'] < v['issued'], 'trust file: a version is not later than the one before')
    keepers = limited(v['keepers'], 2, 20, 'keepers')
    need(all(is_hex(k, 32) for k in keepers) and rises(keepers), 'keepers are not public keys in ascending order')
    need(not any(small_order(bytes.fromhex(k)) for k in keepers), 'a keeper has a key of small order')
    for name in ('ca', 'timestamps'):
        need(all(is_text(p) and len(p) <= 16384 and PEM.fullmatch(p) for p in limited(v[name], 0, 20, name)),
             name + ' has something else than a certificate')
    for each in limited(v['verifiers'], 0, 200, 'verifiers'):
        members(each, ('sha256', 'version'), 'verifier')
        need(is_hex(each['sha256'], 32) and is_label(each['version'], 50), 'verifier has another type')
    for each in limited(v['signers'], 0, 1000, 'signers'):
        members(each, ('from', 'key', 'name', 'roles', 'until'), 'signer')
        need(is_hex(each['key'], 32) and is_label(each['name'], 200) and is_time(each['from'])
             and each['roles'] in (['approver'], ['pack'], ['approver', 'pack']), 'signer has another type')
        need(each['until'] is None or is_time(each['until']) and each['from'] < each['until'], 'signer: until is wrong')
    held = {fingerprint(k): k for k in keepers}
    for each in limited(v['revocations'], 0, 1000, 'revocations'):
        members(each, ('key', 'reason', 'recorded', 'since'), 'revocation')
        need(is_hex(each['key'], 32) and each['reason'] in ('lost', 'left', 'replaced') and is_time(each['since'])
             and is_time(each['recorded']) and each['since'] <= each['recorded'] <= v['issued'], 'revocation has another type')
        need(each['key'] not in held, 'a keeper is revoked')
    for name in ('signers', 'revocations'):
        need(rises([each['key'] for each in v[name]]), name + ' are not in ascending order')
    return held


def read_trust(path):
    """The last version of a trust file of which every version counts, with the fingerprints of its keepers."""
    data = read(path)
    need(len(data) <= 4 << 24 and units(data.decode('utf-8', 'replace')) <= 1 << 24, 'trust file is too large')
    file = parse_canonical(data, 'trust file', line_feed=True)
    members(file, ('format', 'version', 'versions'), 'trust file')
    need(file['format'] == 'veridesk-trust' and is_int(file['version']) and file['version'] == 1,
         'trust file: its format is unknown')
    digest = before = keepers_before = None
    for number, envelope in enumerate(limited(file['versions'], 1, 100, 'versions'), 1):
        members(envelope, ('payload', 'payloadType', 'signatures'), 'trust file')
        signatures = limited(envelope['signatures'], 1, 40, 'signatures')
        opened = [open_envelope(dict(envelope, signatures=[s]), TRUST_TYPE, 'trust file') for s in signatures]
        v = parse_canonical(opened[0][0], 'trust file')
        held = trust_version(v, number, digest, before)
        ids = [keyid for _, _, keyid, _ in opened]
        need(rises(ids), 'trust file: signatures are not in ascending order')
        keys = dict(keepers_before or {}, **held)
        for _, pae, keyid, signature in opened:
            need(keyid in keys, 'trust file: a signature is not by a keeper')
            check_envelope_signature(keys[keyid], pae, keyid, signature, 'trust file')
        for group in (held, keepers_before if keepers_before is not None else held):
            need(len([i for i in ids if i in group]) >= 2, 'trust file: version %d lacks signatures of keepers' % number)
        digest, before, keepers_before = sha256_hex(opened[0][0]), v, held
    return before, keepers_before


def authorities_in(pems):
    found = []
    for pem in pems:
        try:
            found += read_certificates(pem.encode(), 'trust file')
        except (Refused, Unreadable):
            pass
    return found


def known_to(trust, own, vouched, made_at, times, now):
    """Whether a trust file speaks for a key, and why."""
    latest = min(end for _, end in times) if times else now
    if latest >= trust['expires']:
        return False, 'it has expired, and no time-stamp shows that the pack is older'
    entry = next((s for s in trust['signers'] if s['key'] == own), None)
    if entry is None:
        return vouched, 'it does not name the key'
    if 'pack' not in entry['roles']:
        return False, 'its owner does not sign packs'
    earliest = min([made_at] + [end for _, end in times])
    return (earliest >= entry['from'] and (entry['until'] is None or latest < entry['until'])), entry['name']


def valid_timestamp(token, imprinted, trusted):
    """As check_timestamp, and None for a token that is not valid."""
    try:
        return safe(check_timestamp, token, imprinted, trusted)
    except Refused:
        return None


def verify_file(path):
    data = read(path)
    file = parse_canonical(data, 'the file', line_feed=True)
    need(isinstance(file, dict) and file.get('format') == 'veridesk-evidence', 'the file is not an evidence pack')
    need(is_int(file.get('version')) and file['version'] == 1, 'the version is unknown')
    return verify(file)


def compare(a, b):
    """Two packs: what their trees say about each other."""
    if a.key != b.key:
        return 'the two packs have different keys: not compared'
    both = sorted(set(a.ranges) & set(b.ranges))
    if not any(end - start == 1 and a.ranges[start, end] == b.ranges[start, end] for start, end in both):
        return 'the two packs prove no event alike: two audit trails'
    for span in both:
        need(a.ranges[span] == b.ranges[span],
             'the audit trail has been forked: different hashes for leaves %d to %d' % span)
    if a.size == b.size:
        return 'both have the same tree'
    large, small = (a, b) if a.size > b.size else (b, a)
    found = range_root(large.ranges, 0, small.size)
    if found is None:
        return 'whether one continues the other cannot be determined'
    need(found == small.root, 'the audit trail has been forked: the root of the smaller tree is another')
    return 'one continues the other'


def read_export(data):
    """An export of the audit trail in JSON lines, or None if it is another file."""
    try:
        lines = data.decode('utf-8').split('\n')
        first = Parser(lines[0]).parse()
    except (Refused, ValueError):
        return None
    if not isinstance(first, dict) or first.get('format') != 'veridesk-audit-trail':
        return None
    head = first.get('head')
    need(first.get('version') == 1 and isinstance(head, dict) and is_int(head.get('seq'), 1) and is_hex(head.get('hash'), 32),
         'export: it has another form')
    need(len(lines) >= 3 and lines[-1] == '', 'export: it was cut off')
    end = Parser(lines[-2]).parse()
    need(isinstance(end, dict) and end.get('end') is True and end.get('rows') == len(lines) - 3, 'export: it was cut off')
    rows = [Parser(line).parse() for line in lines[1:-2]]
    for row in rows:
        need(isinstance(row, dict) and is_int(row.get('seq'), 1) and row['seq'] <= head['seq'] and is_hex(row.get('hash'), 32),
             'export: a line has another form')
    need(all(a['seq'] < b['seq'] for a, b in zip(rows, rows[1:])), 'export: it is not in order')
    return head, rows


def root_of(leaves):
    """RFC 9162, section 2.1.1, over hashes of leaves."""
    if len(leaves) == 1:
        return leaves[0]
    middle = split(len(leaves))
    return node_hash(root_of(leaves[:middle]), root_of(leaves[middle:]))


def compare_export(pack, export, trusted):
    """A pack and an export of the audit trail: what they say about each other."""
    head, rows = export
    size = head['seq']
    hashes = {row['seq']: row['hash'] for row in rows}
    need(hashes.get(size, head['hash']) == head['hash'], 'export: its last event has another hash')
    hashes[size] = head['hash']
    both = {seq: leaf_hash(bytes.fromhex(value)) == pack.ranges[(seq - 1, seq)]
            for seq, value in hashes.items() if (seq - 1, seq) in pack.ranges}
    origin = 'veridesk/' + hashes[1][:32] if 1 in hashes else None
    if not any(both.values()):
        return 'the export is of another audit trail'
    for seq, equal in sorted(both.items()):
        need(equal, 'the audit trail has been forked: the export has another hash of event %d' % seq)
    if len(rows) != size:
        return 'the export does not contain all events'
    leaves = [leaf_hash(bytes.fromhex(row['hash'])) for row in rows]
    if size >= pack.size:
        need(root_of(leaves[:pack.size]) == pack.root, 'the audit trail has been forked: the export has another root')
        found = pack.root
    else:
        found = range_root(pack.ranges, 0, size)
        need(found is None or found == root_of(leaves), 'the audit trail has been forked: the export has another root')
    for row in rows:
        stamp = row.get('timestamp')
        if stamp is None:
            continue
        need(isinstance(stamp, dict) and is_text(stamp.get('checkpoint')), 'export: a time-stamp has another form')
        match = CHECKPOINT.match(stamp['checkpoint'])
        need(match and int(match.group(2)) < row['seq'], 'export: a checkpoint has another form')
        covered = int(match.group(2))
        need(match.group(1) == origin and unbase64(match.group(3), 'root') == root_of(leaves[:covered]),
             'export: a checkpoint is not that of its events')
        token = unbase64(stamp.get('token'), 'time-stamp')
        if trusted is not None:
            found_at = safe(check_timestamp, token, stamp['checkpoint'].encode('utf-8'), trusted)
            pack.notes.append('events 1 to %d existed at %d' % (covered, found_at[0]) if found_at
                              else 'a time-stamp of another authority: not checked')
    return 'whether one continues the other cannot be determined' if found is None else 'one continues the other'


def parse_fingerprint(text):
    form = re.sub(r'[\s:]', '', text).lower()
    if not is_hex(form, 32):
        raise Unreadable('%r is not a fingerprint' % text)
    return form


def arguments(argv):
    options = {'attachment': [], 'compare': None, 'revocation': [],
               'revoker': [], 'ca': None, 'tsa': None, 'trust': None}
    words, rest = [], list(argv)
    while rest:
        word = rest.pop(0)
        if word.startswith('--'):
            name = word[2:]
            if name not in options or not rest:
                raise Unreadable('invalid argument ' + word)
            value = rest.pop(0)
            if name == 'revoker':
                options[name].append(parse_fingerprint(value))
            elif name in ('attachment', 'revocation'):
                options[name].append(value)
            elif options[name] is not None:
                raise Unreadable('%s is given twice' % word)
            else:
                options[name] = value
        else:
            words.append(word)
    if not 1 <= len(words) <= 2:
        raise Unreadable('usage: verify.py FILE [FINGERPRINT] [options]')
    options['file'] = words[0]
    options['fingerprint'] = parse_fingerprint(words[1]) if len(words) == 2 else None
    return options


def run(argv):
    options = arguments(argv)
    trust = None
    if options['trust'] is not None:
        try:
            trust, keepers = read_trust(options['trust'])
        except Refused as reason:
            raise Unreadable(str(reason))
        options['revoker'] += list(keepers)
    result = verify_file(options['file'])
    for path in options['attachment']:
        data = read(path)
        found = [a for a in result.attachments if a['bytes'] == len(data) and a['sha256'] == sha256_hex(data)]
        if not found:
            result.foreign.append(path)
            continue
        result.notes.append('attachment %s matches' % found[0]['name'])
    if options['compare'] is not None:
        export = read_export(read(options['compare']))
        if export is None:
            result.notes.append(compare(result, verify_file(options['compare'])))
        else:
            trusted = None if options['tsa'] is None else read_certificates(read(options['tsa']), options['tsa'])
            result.notes.append(compare_export(result, export, trusted))
    for line in result.notes:
        print(line)
    stamped = latest = None
    vouched = False
    times = []
    authorities = [] if options['tsa'] is None else read_certificates(read(options['tsa']), options['tsa'])
    authorities += authorities_in(trust['timestamps']) if trust else []
    if not authorities:
        if result.timestamps:
            print('time-stamps: %d, not checked' % len(result.timestamps))
    else:
        times = [safe(check_timestamp, t, result.digest_input, authorities) for t in result.timestamps]
        print('time-stamps of another authority, not checked: %d' % times.count(None))
        times = [t for t in times if t is not None]
        stamped = min(at for at, _ in times) if times else None
        latest = min(end for _, end in times) if times else None
        for at, _ in times:
            print('time-stamp: existed at', at)
    if options['ca'] is None:
        if result.certificates:
            print('certificates: %d, not checked' % len(result.certificates))
    else:
        trusted = read_certificates(read(options['ca']), options['ca'])
        need(result.certificates, 'there is no certificate, but a CA was given')
        signer = safe(Certificate, result.certificates[0])
        at = result.made_at if stamped is None else stamped
        need(safe(signer.may_sign), 'the certificate may not sign')
        need(safe(leads_to, signer, readable(result.certificates[1:]), trusted, at), 'the certificate does not lead to a given CA')
        vouched = True
        print('certificate: leads to a given CA')
    own = fingerprint(result.key)
    if trust and trust['ca'] and not vouched and result.certificates:
        signer = safe(Certificate, result.certificates[0])
        at = result.made_at if stamped is None else stamped
        vouched = holds(signer.may_sign) and holds(leads_to, signer, readable(result.certificates[1:]), authorities_in(trust['ca']), at)
    for revocation in trust['revocations'] if trust else []:
        if revocation['key'] == own:
            need(latest is not None and latest < revocation['since'], 'the key was revoked, by the trust file')
            print('its key has been revoked since, by the trust file from', revocation['since'])
    for path in options['revocation']:
        try:
            revocation = read_revocation(path, authorities)
        except Refused as reason:
            raise Unreadable(str(reason))
        by = fingerprint(revocation['revokedBy'])
        if by != revocation['key'] and by not in options['revoker']:
            print('revocation of %s: signed by a key that was not named; not counted' % revocation['key'])
            continue
        if revocation['key'] == own:
            need(latest is not None and (revocation['proven'] is None or latest < revocation['proven']),
                 'the key was revoked, and no valid time-stamp is from before')
            print('its key has been revoked since, as the revocation says from', revocation['since'])
    print('signed with key', own)
    if options['fingerprint'] is not None:
        need(own == options['fingerprint'], 'the key is not the one with the given fingerprint')
    if result.foreign:
        print('INTACT, BUT NOT BELONGING TO IT: %s' % ', '.join(result.foreign))
        return 1
    if result.approval is not None and result.approval != 'withheld':
        wanted, agree, against = result.approval
        if agree < wanted or against > 0:
            print('INTACT, APPROVAL MISSING: %d agree, %d do not, %d needed' % (agree, against, wanted))
            return 4
    compared = options['fingerprint'] is not None or vouched
    if trust:
        compared, why = known_to(trust, own, vouched, result.made_at, times, int(time.time() * 1000))
        print('trust file of %s, version %d: %s' % (trust['organisation'], trust['version'], why))
    if not compared:
        print('INTACT, SIGNER UNKNOWN: neither a fingerprint nor a CA was given to compare')
        return 3
    print('VERIFIED')
    return 0


def main(argv):
    try:
        return run(argv)
    except Refused as reason:
        print('REFUSED:', reason)
        return 1
    except Unreadable as reason:
        print('NOT VERIFIED:', reason)
        return 2


if __name__ == '__main__':
    if hasattr(sys.stdout, 'reconfigure'):
        sys.stdout.reconfigure(errors='backslashreplace')
    sys.exit(main(sys.argv[1:]))
