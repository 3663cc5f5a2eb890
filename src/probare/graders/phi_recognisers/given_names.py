"""Given names that are seldom anything else: what a full name without a title is known by.

The most frequent of the US Social Security Administration's public lists, and frequent ones of
other tongues; those that are also ordinary words or places (Grace, Mark, Will, Austin) left out.
"""

from __future__ import annotations

_NAMES = """
aaron abdul abdullah abigail abraham adam adrian ahmed aisha akira alan albert alberto alejandra
alejandro alex alexander alexandra alexis alfred ali alice alicia alison allison amanda amelia
amina amir amit amy ana anastasia andrea andres andrew andy angela angelica anita anjali ann anna
anne annie anthony antonio anya arjun arthur arturo ashley ayesha barbara beatriz benjamin bernard
bernice beth betty beverly bianca bill billy bob bobby brad bradley brandon brenda brian brittany
bruce bryan caleb camila carl carla carlos carmen carol caroline carolyn carrie catherine cathy
cecilia chad charles charlotte chen cheryl chloe chris christian christina christine christopher
cindy claire clara claudia colleen connie craig cristina crystal curtis cynthia daisuke dale
dana daniel daniela danielle darren darlene dave david deborah debra denise dennis derek diana
diane diego dmitri dolores dominic donald donna doris dorothy douglas dylan earl eddie edgar edith
eduardo edward edwin eileen elaine eleanor elena eli elias elijah elisa elizabeth ella ellen emeka
emily emma emmanuel enrique eric erica erik erin ernest ernesto esperanza esteban esther ethan
eugene eva evan evelyn farah fatima felicia felipe fernando florence frances francesca francis
francisco frank fred frederick gabriel gabriela gail gary george gerald gina giovanni gladys
gloria gonzalo gordon greg gregory guadalupe guillermo gustavo hannah hans harold harry harvey
hassan heather hector heidi helen henry herbert hiroshi howard hugo hussein ian ibrahim ignacio
imani ingrid irene irma isaac isabel isabella isaiah ivan jack jacob jacqueline jaime jamal james
jamie jane janet janice jared jasmine jason javier jean jeff jeffrey jenna jennifer jeremy jerome
jerry jesse jessica jesus jill jim jimmy joan joanna joanne joaquin joe joel johanna john johnny
jonathan jorge jose joseph josephine joshua joyce juan juanita judith judy julia julian juliana
julie julio justin kamala karen karin karl katarina kate katherine kathleen kathryn kathy katie
kayla keith kelly kenji kenneth kenya kevin khadija kimberly kofi krishna kristen kristin kumar
kwame kyle lakshmi larry latoya laura lauren laurie lawrence leah lee leila leo leon leonard leroy
leslie leticia liam lidia lillian linda lisa logan lois lorena lorenzo lori lorraine louis louise
lourdes lucas lucia lucy luis luisa luke luz lydia lynn maggie malik manuel marc marcella marcia
marco marcos marcus margaret maria mariam marian mariana marie marilyn mario marisol marjorie
marlene marta martha martin marvin mary mateo matilda matthew maureen maurice maya megan mehmet
mei melanie melissa michael michele michelle miguel mike mildred minh miriam mitchell mohamed
mohammed molly monica monique muhammad myrtle nadia nancy naomi natalia natalie natasha nathan
nathaniel neha neil nguyen nicholas nicole nikhil nina noah noor nora norma oleg olga olivia omar
oscar osvaldo pablo pamela paola patricia patrick paul paula paulo pauline pedro peggy peter
philip phillip phyllis pierre priya rachel rafael rahul raj rajesh ralph ramon randy raul ravi
raymond rebecca regina renee ricardo richard rick rita robert roberta roberto robin rodney rodrigo
roger roland ronald rosa rosalind rosario rosemary roxanne roy russell ruth ryan sabrina sally
salvador sam samantha samuel sandra sanjay santiago sara sarah scott sean sebastian sergei sergio
shannon sharon shawn sheila shirley silvia simon sofia sonia sophia sophie stacy stanley stefan
stella stephanie stephen steve steven stuart suresh susan suzanne sven sylvia takashi tamara tania
tanya tara tatiana teresa terry thelma theodore theresa thomas tiffany timothy tina todd tomas
tony tracy travis trevor tyler valentina valerie vanessa veronica vicente vicki victor victoria
vijay vincent virgil vivian vladimir walter wanda warren wayne wei wendy wesley william willie
xavier ximena yasmin yolanda yuki yusuf yvette yvonne zachary zainab zoe
"""

GIVEN = frozenset(_NAMES.split())
