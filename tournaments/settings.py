"""Settings. Without any environment variable the service is embedded: on SQLite and files in `var/`, for one
machine.

DATABASE_URL, REDIS_URL and ALLOWED_HOSTS make it a distributed service; as soon as one of them is set,
SECRET_KEY must be set too. docs/running.md lists all variables.
"""

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from engines import rules

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

VAR_DIR = Path(env.str("VAR_DIR", default="") or BASE_DIR / "var").absolute()
PRODUCTION = any(env.str(name, default="") for name in ("DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS"))


def secret_key() -> str:
    """The key from the environment; the embedded service makes its own, in a file that only its user can
    read."""
    key = str(env.str("SECRET_KEY", default=""))
    if key:
        return key
    if PRODUCTION:
        raise ImproperlyConfigured(
            "SECRET_KEY is not set. DATABASE_URL, REDIS_URL or ALLOWED_HOSTS is, so this is a service for "
            "others: give it 50 random characters, the same for every process, in SECRET_KEY."
        )
    path = VAR_DIR / "secret_key"
    key = secrets.token_urlsafe(50)
    with suppress(OSError):  # `serve` says that the folder cannot be written; other commands can do without
        VAR_DIR.mkdir(parents=True, exist_ok=True)
        with (
            suppress(FileExistsError),
            os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file,
        ):
            file.write(key)
        return path.read_text()
    return key


SECRET_KEY = secret_key()
# What the seeds of boards are sealed with, the newest first (tournaments/vault.py).
SEED_KEYS = env.list("SEED_KEYS", default=[])
SEED_KEYS_FILE = Path(env.str("SEED_KEYS_FILE", default="") or VAR_DIR / "seed_keys")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])  # earlier ones
DEBUG = False
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[]) or ["localhost", "127.0.0.1", "[::1]"]
PUBLIC_URL = env.str("PUBLIC_URL", default="")  # the address that others use: https://example.org
if (named := urlsplit(PUBLIC_URL).hostname) and named not in ALLOWED_HOSTS:
    ALLOWED_HOSTS.append(named)

# A worker, whichever command has started it, shows no pages, and does without what only they need.
PAGES = not {"celery.apps.worker", "celery.bin.celery"} & sys.modules.keys()
INSTALLED_APPS = [
    "frontend",  # before allauth: its templates are ours
    "tournaments",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    *(["django.contrib.admin.apps.SimpleAdminConfig"] if PAGES else []),
]
MIDDLEWARE = [
    "tournaments.tracing.Followed",
    "tournaments.limits.believe_proxies",
    "tournaments.compressing.compress_static",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "frontend.accounts.middleware.keep_private",
    "tournaments.limits.count_calls",
    "tournaments.api.addresses.as_files",
    "tournaments.outages.Outages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "frontend.accounts.keeping.remember",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
ROOT_URLCONF = "frontend.urls"
WSGI_APPLICATION = "tournaments.wsgi.application"
ASGI_APPLICATION = "tournaments.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "frontend.accounts.context.signing_in",
                "frontend.demo.banner",
                "csp.context_processors.nonce",
            ]
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# ── The database ──────────────────────────────────────────────────────────────────────────────────

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'etui.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["ENGINE"] = "tournaments.sqlite3"
    DATABASES["default"]["OPTIONS"] = {
        "timeout": env.float("LOCK_SECONDS", default=20.0),
        **DATABASES["default"].get("OPTIONS", {}),
        "transaction_mode": "IMMEDIATE",  # a writer waits for its turn instead of failing half-way through
        # FULL: what was acknowledged survives a power cut. Recursive: REPLACE asks the guards, too.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA recursive_triggers=ON;",
    }
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"]["OPTIONS"] = {  # those of the address, sslmode above all, go to the driver
        **DATABASES["default"].get("OPTIONS", {}),
        "prepare_threshold": 10**9,  # statements that ask for it are prepared
    }
DATABASES["default"].setdefault("CONN_MAX_AGE", 60)

# ── Messages to the workers ───────────────────────────────────────────────────────────────────────

REDIS_URL = env.str("REDIS_URL", default="")
BROKER_DIR = VAR_DIR / "broker"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any]
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 300,
        "unacked_restore_throttle": 1,
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
    }
else:
    CELERY_BROKER_URL = "filesystem://localhost//"
    CELERY_BROKER_TRANSPORT = "tournaments.broker:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_DIR / "queue"),
        "data_folder_out": str(BROKER_DIR / "queue"),
        "processed_folder": str(BROKER_DIR / "taken"),
        "control_folder": str(BROKER_DIR / "control"),
    }
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True  # the database has the result of a task
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_POOL = "threads"  # they share the standings in memory, and leave no children behind
CELERY_WORKER_CONCURRENCY = 4
JOBS_AT_ONCE = 2  # of these threads: the others judge and rank meanwhile
DELIVERIES_AT_ONCE = 2  # messages to partners that a worker sends at a time
WEBHOOKS_TO_LOOPBACK = env.bool("WEBHOOKS_TO_LOOPBACK", default=False)  # http to this machine, to try them
CELERY_DB_REUSE_MAX = 2**62  # tasks with a connection; else Celery opens one for each (`worker.begin`)
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
RANKING_SECONDS = 0.2  # between two versions of a ranking, at least
SWEEP_SECONDS = env.float("SWEEP_SECONDS", default=2.0)
SEAL_SECONDS = env.float("SEAL_SECONDS", default=30.0)  # so long an entry of the history waits for its seal
FORGET_SECONDS = env.float("FORGET_SECONDS", default=86_400.0)
COMPARE_SECONDS = env.float("COMPARE_SECONDS", default=60.0)
TASK_SECONDS = 150.0  # a task that takes longer hangs: its worker gives no more signs of life
HUNG_SECONDS = env.float("HUNG_SECONDS", default=30.0)  # without a sign of life, before a process is replaced
STOP_SECONDS = env.float("STOP_SECONDS", default=8.0)

# For how long seats are annealed, of a session set up or planned again; and in how many steps, of all that a
# wish is offered: it has the same answer however busy the machine is.
BALANCING_SECONDS = env.float("BALANCING_SECONDS", default=2.0)
CHOOSING_STEPS = env.int("CHOOSING_STEPS", default=1_000_000)

# ── How often one caller may call ─────────────────────────────────────────────────────────────────

RATES = {
    "anonymous": env.str("RATE_ANONYMOUS", default="6000/min"),  # by address, pages and API
    "token": env.str("RATE_TOKEN", default="6000/min"),
    "failed": env.str("RATE_FAILED", default="60/min"),  # wrong tokens, by address
    "preview": env.str("RATE_PREVIEW", default="1200/min"),  # of result sheets, by address
}
TRUSTED_PROXIES = env.list("TRUSTED_PROXIES", default=[])  # networks whose word is taken for an address

# ── Accounts and signing in ───────────────────────────────────────────────────────────────────────

AUTH_USER_MODEL = "tournaments.Account"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "frontend.accounts.passwords.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",  # what another service may have handed over
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("name", "email")},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "my-account"
SIGN_UP_OPEN = env.bool("SIGN_UP_OPEN", default=False)  # for whoever likes; else by invitation alone
INVITATION_DAYS = 14
SET_UP_DAYS = 2  # of the link by which the first administrator comes

ACCOUNT_ADAPTER = "frontend.accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_FORMS = {
    "signup": "frontend.accounts.sign_up.SignUpForm",
    "login": "frontend.accounts.allauth_forms.SignInForm",
    "add_email": "frontend.accounts.allauth_forms.AddressForm",
    "reset_password": "frontend.accounts.allauth_forms.ForgottenForm",
    "request_login_code": "frontend.accounts.allauth_forms.CodeByMailForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
# Mail may lie in a folder: nobody who was invited is locked out for want of it.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if SIGN_UP_OPEN else "none"
ACCOUNT_CHANGE_EMAIL = True  # one address, which changes once the new one is confirmed
ACCOUNT_EMAIL_NOTIFICATIONS = True  # a password or a second factor that changed is told by mail
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Étui: "
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # nobody gets mail for want of an account
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 900
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_USER_DISPLAY = str
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if PUBLIC_URL.startswith("https://") else "http"
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "10/m/ip,5/5m/key",
    "request_login_code": "20/m/ip,3/m/key",
    "reset_password": "20/m/ip,3/m/key",
}
MFA_ADAPTER = "frontend.accounts.adapter.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # accounts come by invitation, so nobody takes another's address first
MFA_FORMS = {
    "add_webauthn": "frontend.accounts.allauth_forms.NewPasskeyForm",
    "edit_webauthn": "frontend.accounts.allauth_forms.PasskeyNameForm",
}
MFA_TOTP_ISSUER = "Étui"
MFA_TOTP_TOLERANCE = 1  # clocks may be half a minute apart
MFA_RECOVERY_CODES_SHOW_ONCE = True

SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PUBLIC_URL.startswith("https://")
CSRF_FAILURE_VIEW = "frontend.accounts.keeping.stale_form"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL.rstrip("/")] if PUBLIC_URL else []
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

CACHES = {
    "default": {"BACKEND": "tournaments.caching.Shared", "LOCATION": REDIS_URL}
}  # tries are counted there

# ── Mail ──────────────────────────────────────────────────────────────────────────────────────────

MAIL_DIR = VAR_DIR / "mail"
EMAIL_BACKEND = MAIL_FOLDER = "tournaments.mail.Folder"
if env.str("EMAIL_URL", default=""):
    globals().update(env.email_url("EMAIL_URL"))
    MAIL_BACKEND, EMAIL_BACKEND = EMAIL_BACKEND, "tournaments.mail.Aside"
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("MAIL_FROM", default="Étui <etui@localhost>")

# ── The API ───────────────────────────────────────────────────────────────────────────────────────

REST_FRAMEWORK = {
    # Tokens alone: the cookie of somebody who has signed in says nothing here. Should pages call the API in
    # their name, rest_framework's SessionAuthentication, which asks for the CSRF token, is added here.
    "DEFAULT_AUTHENTICATION_CLASSES": ["tournaments.api.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.AllowAny",  # querysets decide who sees what
        "tournaments.api.permissions.InScope",
    ],
    "DEFAULT_RENDERER_CLASSES": ["tournaments.api.rendering.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tournaments.api.parsers.JSONParser"],
    "URL_FORMAT_OVERRIDE": None,  # the Accept header says it
    "DEFAULT_SCHEMA_CLASS": "tournaments.api.description.Described",
    "DEFAULT_PAGINATION_CLASS": "tournaments.api.pagination.Pages",
    "DEFAULT_THROTTLE_CLASSES": ["tournaments.api.throttles.PerCaller"],
    "EXCEPTION_HANDLER": "tournaments.api.errors.answer",
    "UNAUTHENTICATED_USER": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Étui",
    "DESCRIPTION": (
        "Duplicate tournaments for card games: boards, results, travellers, rankings.\n\n"
        "An error is a problem (RFC 9457, `application/problem+json`): `code` says for programs what it is, "
        "`detail` for people what would be right.\n\n"
        "A field or a query parameter that is not described here is refused by name.\n\n"
        "Lists come in pages: `next` and `previous` are the addresses of the pages beside one (null where "
        "there is none), `page_size` says how many rows you want. A cursor is a place in a list: nothing is "
        "skipped or repeated while rows are added. With `Accept: text/csv` or that of a workbook, or at the "
        "address with `.csv` or `.xlsx` for its last stroke, they leave whole, as tables.\n\n"
        "Answers about a session have an `ETag`: send it back as `If-None-Match`, and you get a 304 without "
        "a body while nothing has changed. It is good for you alone, at that address.\n\n"
        "Whoever does not know whether a creation has arrived sends it again: with an `Idempotency-Key` of "
        "their own in both, it is done once, and answered as before for a day. A refusal is not kept.\n\n"
        "`GET /api/v1/sessions/{id}/live/` is a stream of server-sent events, for who may see the ranking: "
        '`event: ranking` with `{"version": 41, "state": "running"}` whenever there is news.'
    ),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "BoardSetState": "tournaments.models.BoardSet.State",
        "CallReason": "tournaments.models.Call.Reason",
        "CallState": "tournaments.models.Call.State",
        "CataloguePenaltyKind": "tournaments.models.CataloguePenalty.Kind",
        "ClubEntryState": "tournaments.models.ClubEntry.State",
        "Custody": "tournaments.models.BoardSet.Keeping",
        "DeliveryAgain": ["waiting"],
        "DeliveryState": "tournaments.models.WebhookDelivery.State",
        "EventAnnounced": ["announced"],
        "EventEmbargo": "tournaments.models.Event.Embargo",
        "EventJoining": "tournaments.models.Event.Joining",
        "EventState": "tournaments.models.Event.State",
        "FeedItemKind": "tournaments.models.FeedItem.Kind",
        "HistoryAgent": "tournaments.models.HistoryEntry.Agent",
        "JobCancelled": ["cancelled"],
        "JobKind": "tournaments.models.Job.Kind",
        "JobState": "tournaments.models.Job.State",
        "LiveList": "tournaments.models.Session.Live",
        "MatchForm": "tournaments.models.MatchRules.Form",
        "MovementEnum": "tournaments.movements.FAMILIES",
        "ObjectionOutcome": "tournaments.models.ObjectionStep.Outcome",
        "ObjectionStepKind": "tournaments.models.ObjectionStep.Kind",
        "PenaltyRetired": ["retired"],
        "PlayerCategory": "tournaments.models.Category",
        "RoundState": "tournaments.models.Round.State",
        "RulingKind": "tournaments.models.Ruling.Kind",
        "RulingReversed": ["reversed"],
        "SeasonMeasure": "tournaments.models.Season.Measure",
        "SeasonOpened": ["open", "over"],
        "SeasonState": "tournaments.models.Season.State",
        "SessionListKind": "tournaments.models.SessionList.Kind",
        "SessionState": "tournaments.models.Session.State",
        "SubmissionState": "tournaments.models.Submission.State",
        "SubstitutesCredited": "tournaments.models.Session.Credited",
        "SubstitutionUndone": ["undone"],
        "WebhookState": ["on", "off"],
        "WebhookWantedState": ["on", "off", "removed"],
    },
    "SERVERS": [{"url": "/"}],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "tournaments.api.description.name_resources",
    ],
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_000_000

# ── Languages, pages, security ────────────────────────────────────────────────────────────────────

LANGUAGE_CODE = "en"
LANGUAGES = [("fr", "Français"), ("en", "English")]
FORMAT_MODULE_PATH = "frontend.formats"  # 22 Nov 2026, not 11/22/2026
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "tournaments.versioned.VersionedFiles"},
}
STATICFILES_DIRS = [("rules", rules.PICTURES)]  # a deal of each game in pictures
WHITENOISE_USE_FINDERS = True
WHITENOISE_MAX_AGE = 60
WHITENOISE_ALLOW_ALL_ORIGINS = False  # other sites have no use for our parts
DEMO_SECRET = env.str("DEMO_SECRET", default="")  # set by `manage.py demo` alone: who has it is its director
DEMO_DIRECTOR = "demo@localhost.invalid"  # the account that the demo makes for whoever has it
DESIGN_PAGE = env.bool("DESIGN_PAGE", default=False)  # /design/: every part of the pages in every state

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
    "EXCLUDE_URL_PREFIXES": ["/api/docs/"],  # the API's page brings styles of its own
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_REDIRECT_EXEMPT = ["^livez$", "^readyz$", "^metrics$"]  # a machine asks the process itself
if PUBLIC_URL.startswith("https://"):
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", default=False)
    SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS
if PUBLIC_URL.startswith("https://") or TRUSTED_PROXIES:  # limits.believe_proxies: whose word it may be
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # subdomains are the host's to decide: HSTS_SUBDOMAINS
    "security.W021",
]

LOG_FORMATS = {
    "line": {
        "()": "tournaments.logs.LogLine",
        "format": "{asctime} {levelname} {name}: {message}",
        "style": "{",
    },
    "json": {"()": "tournaments.logs.as_json"},
}
LOG_FORMAT = env.str("LOG_FORMAT", default="json" if PRODUCTION else "line")
if LOG_FORMAT not in LOG_FORMATS:
    raise ImproperlyConfigured(f"LOG_FORMAT is json or line, not {LOG_FORMAT!r}.")
# What backups are encrypted with (tournaments/services/encrypting.py): a passphrase, or a public key of age.
BACKUP_PASSPHRASE = env.str("BACKUP_PASSPHRASE", default="")
BACKUP_RECIPIENT = env.str("BACKUP_RECIPIENT", default="")
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")  # by which /metrics is read from elsewhere
# Who else watches (tournaments/watched.py): a collector of traces, and Sentry, under their own names.
OTEL_EXPORTER_OTLP_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")
SENTRY_DSN = env.str("SENTRY_DSN", default="")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"console": LOG_FORMATS[LOG_FORMAT]},  # the other is not even made
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "console"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
    # They tell whole addresses, and a partner's may hold a secret.
    "loggers": {name: {"level": "WARNING"} for name in ("httpx", "httpcore")},
}
