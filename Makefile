# Étui: `make demo` to watch an evening, `make test` to check a change.
PY ?= $(firstword $(foreach p,python3.11 python3.12 python3.13 python3,$(shell command -v $(p) 2>/dev/null)))
V := .venv
PORT ?= 8000
SPEED ?= 1
unexport PYTHONDONTWRITEBYTECODE # what pytest makes of the tests is kept for the next run
PIP := $(V)/bin/python -m pip install -q --disable-pip-version-check --require-hashes

.PHONY: demo serve test campaign-api campaign-boards campaign-tests campaign-movements campaign-pages campaign-processes campaign-roles campaign-samples campaign-faults format locks locale bench bench-scoring bench-movements bench-service goldens clean

demo: export VAR_DIR := $(or $(VAR_DIR),var/demo)
demo: $(V)/.run ## an evening of COM'ON! played by robots, watched live
	@exec $(V)/bin/python manage.py demo --port $(PORT) --speed $(SPEED)

serve: $(V)/.run ## the service alone
	@exec $(V)/bin/python manage.py serve --port $(PORT)

test: $(V)/.test ## every check: format, lint, types, layers, tests
	@$(V)/bin/ruff format --check .
	@$(V)/bin/ruff check .
	@PYTHONPATH=. $(V)/bin/lint-imports --no-cache
	@mkdir -p var; $(V)/bin/mypy >var/types.log 2>&1 & types=$$!; \
	  $(V)/bin/python -m pytest -q -n auto -m "not campaign$(if $(DATABASE_URL), and not either)" $(ARGS); tests=$$?; \
	  wait $$types; types=$$?; cat var/types.log; exit $$((tests || types)) # beside each other

campaign-api: $(V)/.campaign ## every operation of the API, asked as each role, for four minutes: SECONDS, SEED
	@$(V)/bin/python -m tests.operations $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

campaign-boards: $(V)/.test ## the conformance suite on new random boards for ten minutes: SECONDS, BOARDS, SEED, GAME
	@$(V)/bin/python -m tests.engines.campaign $(if $(SECONDS),--seconds $(SECONDS)) $(if $(BOARDS),--boards $(BOARDS)) \
	  $(if $(SEED),--seed $(SEED)) $(if $(GAME),--game $(GAME))

campaign-tests: export ETUI_HANDS := $(or $(ETUI_HANDS),1)
campaign-tests: export ETUI_PILES := $(or $(ETUI_PILES),2000)
campaign-tests: export ETUI_DEALS := $(or $(ETUI_DEALS),10000)
campaign-tests: $(V)/.test ## what `make test` tries some of, and more of it: poker hands, deals, properties of scoring; SEED
	@$(V)/bin/python -m pytest -q -n auto --hypothesis-profile campaign \
	  $(if $(SEED),--hypothesis-seed $(SEED)) $(or $(ARGS),\
	  tests/engines/test_poker.py tests/engines/test_uniform.py tests/scoring)

campaign-movements: $(V)/.test ## seats of 3 to 60 players, each beside the best balance that is known
	@ETUI_EVENINGS=all $(V)/bin/python -m pytest -q -n auto tests/tournaments/test_seating.py

campaign-processes: $(V)/.test ## services killed, frozen, doubled and restarted, in both forms
	@$(V)/bin/python -m pytest -q -n auto -m campaign --ignore tests/frontend/test_every_page.py $(ARGS)

campaign-roles: $(V)/.test ## every route as everybody, own and others’: who may, and who sees hands or names
	@ETUI_ROLES=all $(V)/bin/python -m pytest -q -n auto tests/frontend/test_who_may.py \
	  tests/tournaments/test_names.py tests/tournaments/test_roles.py tests/tournaments/test_secrets.py

campaign-samples: $(V)/.test ## all that `make test` tries a part of, but for services and browsers: ARGS
	@ETUI_SAMPLES=all $(V)/bin/python -m pytest -q -n auto -m "not campaign and not processes and not browser" $(ARGS)

campaign-pages: $(V)/.test ## every page photographed in both languages: ARGS=--basetemp=… says where
	@ETUI_PAGES=all $(V)/bin/python -m pytest -q tests/frontend/test_design.py tests/frontend/test_every_page.py $(ARGS)

campaign-faults: $(V)/.test ## kills, crashes and losses while results come in, for ten minutes: N faults at most, SECONDS, SEED
	@$(V)/bin/python -m tests.faults $(if $(N),--faults $(N)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)) \
	  $(if $(JSON),--json $(JSON))

format: $(V)/.test
	@$(V)/bin/ruff format .
	@$(V)/bin/ruff check --fix .

locale: $(V)/.test ## collects the texts to translate, and compiles the translations
	@$(V)/bin/python -m tests.locale collect

goldens: $(V)/.run ## writes the golden records again
	@$(V)/bin/python -m tests.engines.goldens

bench: $(V)/.bench ## µs per action beside a peer, in one run; SECONDS=600 measures longer
	@$(V)/bin/python -m benchmarks.replay $(if $(SECONDS),--seconds $(SECONDS))

bench-scoring: $(V)/.test ## a million results beside floats, a late one, every method beside all pairs; or of so many TABLES
	@$(V)/bin/python -m benchmarks.scoring $(if $(TABLES),--many $(TABLES) --tables $(TABLES))

bench-service: $(V)/.test $(V)/.bench ## the service under load, beside an empty view: SECONDS, TABLES, WATCHERS, JSON, PLOT
	@$(V)/bin/python -m benchmarks.load $(if $(SECONDS),--seconds $(SECONDS)) $(if $(TABLES),--tables $(TABLES)) \
	  $(if $(WATCHERS),--watchers $(WATCHERS)) $(if $(JSON),--json $(JSON)) $(if $(PLOT),--plot $(PLOT))

bench-movements: $(V)/.test ## seats tried a second, and the balance after 0.5, 1 and 2 seconds, or after so many SECONDS
	@$(V)/bin/python -m benchmarks.movements $(if $(SECONDS),--seconds $(SECONDS))

locks: ## needs uv; the locks carry hashes and no address
	@for f in run test bench campaign; do uv pip compile -q --upgrade --universal --generate-hashes --no-annotate --no-header \
	  --python-version 3.11 requirements/$$f.in -o requirements/$$f.txt || exit 1; done

clean:
	rm -rf var $(V)

$(V)/bin/python:
	@test -n "$(PY)" || { echo "Étui needs Python 3.11 or newer: none was found. Install it, or say where it is: make demo PY=/path/to/python3.11"; exit 1; }
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Étui needs Python 3.11 or newer; $(PY) is $$($(PY) -V 2>&1). Say where a newer one is: make demo PY=/path/to/python3.11"; exit 1; }
	@mkdir -p $(V) 2>/dev/null && test -w . || { echo "This folder is read-only ($(CURDIR)): Étui writes .venv and var into it. Clone it to a place where you may write."; exit 1; }
	@echo "Making the virtual environment (about half a minute, once)…"
	@$(PY) -m venv $(V) 2>/dev/null || { rm -rf $(V); $(PY) -m venv --without-pip $(V) && $(PY) -m pip --python $(V)/bin/python install -q pip; } \
	  || { echo "$(PY) cannot make a virtual environment: install its venv module (Debian: apt install python3-venv)."; rm -rf $(V); exit 1; }

$(V)/.run: $(V)/bin/python requirements/run.txt
	@$(PIP) -r requirements/run.txt
	@touch $@

$(V)/.test: $(V)/.run requirements/test.txt
	@$(PIP) -r requirements/test.txt
	@touch $@

$(V)/.campaign: $(V)/.test requirements/campaign.txt
	@$(PIP) -r requirements/campaign.txt
	@touch $@

$(V)/.bench: $(V)/.run requirements/bench.txt
	@$(PIP) -r requirements/bench.txt
	@touch $@
